from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UnityMessage(_message.Message):
    __slots__ = ("header", "unity_output", "unity_input")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    UNITY_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    UNITY_INPUT_FIELD_NUMBER: _ClassVar[int]
    header: Header
    unity_output: UnityOutput
    unity_input: UnityInput
    def __init__(self, header: _Optional[_Union[Header, _Mapping]] = ..., unity_output: _Optional[_Union[UnityOutput, _Mapping]] = ..., unity_input: _Optional[_Union[UnityInput, _Mapping]] = ...) -> None: ...

class Header(_message.Message):
    __slots__ = ("status",)
    STATUS_FIELD_NUMBER: _ClassVar[int]
    status: int
    def __init__(self, status: _Optional[int] = ...) -> None: ...

class UnityOutput(_message.Message):
    __slots__ = ("rl_output", "rl_initialization_output")
    RL_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    RL_INITIALIZATION_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    rl_output: RlOutput
    rl_initialization_output: RlInitializationOutput
    def __init__(self, rl_output: _Optional[_Union[RlOutput, _Mapping]] = ..., rl_initialization_output: _Optional[_Union[RlInitializationOutput, _Mapping]] = ...) -> None: ...

class UnityInput(_message.Message):
    __slots__ = ("rl_input", "rl_initialization_input")
    RL_INPUT_FIELD_NUMBER: _ClassVar[int]
    RL_INITIALIZATION_INPUT_FIELD_NUMBER: _ClassVar[int]
    rl_input: RlInput
    rl_initialization_input: RlInitializationInput
    def __init__(self, rl_input: _Optional[_Union[RlInput, _Mapping]] = ..., rl_initialization_input: _Optional[_Union[RlInitializationInput, _Mapping]] = ...) -> None: ...

class RlOutput(_message.Message):
    __slots__ = ("agent_infos", "side_channel")
    class AgentInfosEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: AgentInfos
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[AgentInfos, _Mapping]] = ...) -> None: ...
    AGENT_INFOS_FIELD_NUMBER: _ClassVar[int]
    SIDE_CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_infos: _containers.MessageMap[str, AgentInfos]
    side_channel: bytes
    def __init__(self, agent_infos: _Optional[_Mapping[str, AgentInfos]] = ..., side_channel: _Optional[bytes] = ...) -> None: ...

class AgentInfos(_message.Message):
    __slots__ = ("value",)
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: _containers.RepeatedCompositeFieldContainer[AgentInfo]
    def __init__(self, value: _Optional[_Iterable[_Union[AgentInfo, _Mapping]]] = ...) -> None: ...

class AgentInfo(_message.Message):
    __slots__ = ("reward", "done", "id", "observations")
    REWARD_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    reward: float
    done: bool
    id: int
    observations: _containers.RepeatedCompositeFieldContainer[Observation]
    def __init__(self, reward: _Optional[float] = ..., done: _Optional[bool] = ..., id: _Optional[int] = ..., observations: _Optional[_Iterable[_Union[Observation, _Mapping]]] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("shape", "float_data", "dimension_properties", "name")
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    FLOAT_DATA_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    shape: _containers.RepeatedScalarFieldContainer[int]
    float_data: FloatData
    dimension_properties: _containers.RepeatedScalarFieldContainer[int]
    name: str
    def __init__(self, shape: _Optional[_Iterable[int]] = ..., float_data: _Optional[_Union[FloatData, _Mapping]] = ..., dimension_properties: _Optional[_Iterable[int]] = ..., name: _Optional[str] = ...) -> None: ...

class FloatData(_message.Message):
    __slots__ = ("data",)
    DATA_FIELD_NUMBER: _ClassVar[int]
    data: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, data: _Optional[_Iterable[float]] = ...) -> None: ...

class RlInitializationOutput(_message.Message):
    __slots__ = ("name", "communication_version", "brain_parameters", "package_version", "capabilities")
    NAME_FIELD_NUMBER: _ClassVar[int]
    COMMUNICATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    BRAIN_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    PACKAGE_VERSION_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    name: str
    communication_version: str
    brain_parameters: _containers.RepeatedCompositeFieldContainer[BrainParameters]
    package_version: str
    capabilities: Capabilities
    def __init__(self, name: _Optional[str] = ..., communication_version: _Optional[str] = ..., brain_parameters: _Optional[_Iterable[_Union[BrainParameters, _Mapping]]] = ..., package_version: _Optional[str] = ..., capabilities: _Optional[_Union[Capabilities, _Mapping]] = ...) -> None: ...

class BrainParameters(_message.Message):
    __slots__ = ("brain_name", "is_training", "action_spec")
    BRAIN_NAME_FIELD_NUMBER: _ClassVar[int]
    IS_TRAINING_FIELD_NUMBER: _ClassVar[int]
    ACTION_SPEC_FIELD_NUMBER: _ClassVar[int]
    brain_name: str
    is_training: bool
    action_spec: ActionSpec
    def __init__(self, brain_name: _Optional[str] = ..., is_training: _Optional[bool] = ..., action_spec: _Optional[_Union[ActionSpec, _Mapping]] = ...) -> None: ...

class ActionSpec(_message.Message):
    __slots__ = ("num_continuous_actions", "num_discrete_actions", "discrete_branch_sizes")
    NUM_CONTINUOUS_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    NUM_DISCRETE_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    DISCRETE_BRANCH_SIZES_FIELD_NUMBER: _ClassVar[int]
    num_continuous_actions: int
    num_discrete_actions: int
    discrete_branch_sizes: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, num_continuous_actions: _Optional[int] = ..., num_discrete_actions: _Optional[int] = ..., discrete_branch_sizes: _Optional[_Iterable[int]] = ...) -> None: ...

class Capabilities(_message.Message):
    __slots__ = ("base_rl_capabilities", "concatenated_png_observations", "compressed_channel_mapping", "hybrid_actions", "training_analytics", "variable_length_observation", "multi_agent_groups")
    BASE_RL_CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    CONCATENATED_PNG_OBSERVATIONS_FIELD_NUMBER: _ClassVar[int]
    COMPRESSED_CHANNEL_MAPPING_FIELD_NUMBER: _ClassVar[int]
    HYBRID_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    TRAINING_ANALYTICS_FIELD_NUMBER: _ClassVar[int]
    VARIABLE_LENGTH_OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    MULTI_AGENT_GROUPS_FIELD_NUMBER: _ClassVar[int]
    base_rl_capabilities: bool
    concatenated_png_observations: bool
    compressed_channel_mapping: bool
    hybrid_actions: bool
    training_analytics: bool
    variable_length_observation: bool
    multi_agent_groups: bool
    def __init__(self, base_rl_capabilities: _Optional[bool] = ..., concatenated_png_observations: _Optional[bool] = ..., compressed_channel_mapping: _Optional[bool] = ..., hybrid_actions: _Optional[bool] = ..., training_analytics: _Optional[bool] = ..., variable_length_observation: _Optional[bool] = ..., multi_agent_groups: _Optional[bool] = ...) -> None: ...

class RlInput(_message.Message):
    __slots__ = ("agent_actions", "command", "side_channel")
    class AgentActionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: AgentActions
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[AgentActions, _Mapping]] = ...) -> None: ...
    AGENT_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    SIDE_CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_actions: _containers.MessageMap[str, AgentActions]
    command: int
    side_channel: bytes
    def __init__(self, agent_actions: _Optional[_Mapping[str, AgentActions]] = ..., command: _Optional[int] = ..., side_channel: _Optional[bytes] = ...) -> None: ...

class AgentActions(_message.Message):
    __slots__ = ("value",)
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: _containers.RepeatedCompositeFieldContainer[AgentAction]
    def __init__(self, value: _Optional[_Iterable[_Union[AgentAction, _Mapping]]] = ...) -> None: ...

class AgentAction(_message.Message):
    __slots__ = ("continuous_actions", "discrete_actions")
    CONTINUOUS_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    DISCRETE_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    continuous_actions: _containers.RepeatedScalarFieldContainer[float]
    discrete_actions: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, continuous_actions: _Optional[_Iterable[float]] = ..., discrete_actions: _Optional[_Iterable[int]] = ...) -> None: ...

class RlInitializationInput(_message.Message):
    __slots__ = ("seed", "communication_version", "package_version", "capabilities", "num_areas")
    SEED_FIELD_NUMBER: _ClassVar[int]
    COMMUNICATION_VERSION_FIELD_NUMBER: _ClassVar[int]
    PACKAGE_VERSION_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    NUM_AREAS_FIELD_NUMBER: _ClassVar[int]
    seed: int
    communication_version: str
    package_version: str
    capabilities: Capabilities
    num_areas: int
    def __init__(self, seed: _Optional[int] = ..., communication_version: _Optional[str] = ..., package_version: _Optional[str] = ..., capabilities: _Optional[_Union[Capabilities, _Mapping]] = ..., num_areas: _Optional[int] = ...) -> None: ...
