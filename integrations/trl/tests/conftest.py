"""A tiny Qwen3-VL with its processor, made of a configuration: nothing is downloaded."""

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from transformers import Qwen3VLForConditionalGeneration, Qwen3VLProcessor

SPECIAL = [
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
    *("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"),
]


@pytest.fixture
def tiny_model() -> "tuple[Qwen3VLForConditionalGeneration, Qwen3VLProcessor]":
    """The model and its processor."""
    pytest.importorskip("torchvision")
    processor = make_processor()
    return make_model(processor), processor


def make_processor() -> "Qwen3VLProcessor":
    """A tokenizer of single bytes, and pictures of up to 64 x 64 pixels."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3VLProcessor
    from transformers.models.qwen2_vl import Qwen2VLImageProcessor
    from transformers.models.qwen3_vl.video_processing_qwen3_vl import Qwen3VLVideoProcessor
    from trl.chat_template_utils import qwen3_vl_chat_template

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=SPECIAL,
    )
    fast.add_tokens(["<tool_call>", "</tool_call>"])
    pictures = Qwen2VLImageProcessor(
        patch_size=16, size={"shortest_edge": 32 * 32, "longest_edge": 64 * 64}
    )
    return Qwen3VLProcessor(
        image_processor=pictures,
        tokenizer=fast,
        video_processor=Qwen3VLVideoProcessor(),
        chat_template=qwen3_vl_chat_template,
    )


def make_model(processor: Any) -> "Qwen3VLForConditionalGeneration":
    """A model with two layers for text and two for pictures."""
    from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

    find = processor.tokenizer.convert_tokens_to_ids
    text = {
        "vocab_size": len(processor.tokenizer),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "max_position_embeddings": 1 << 16,
        "rope_scaling": {
            "rope_type": "default",
            "mrope_section": [4, 2, 2],
            "mrope_interleaved": True,
        },
        "pad_token_id": find("<|endoftext|>"),
        "eos_token_id": find("<|im_end|>"),
    }
    vision = {
        "depth": 2,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_heads": 2,
        "out_hidden_size": 32,
        "patch_size": 16,
        "num_position_embeddings": 64,
        "deepstack_visual_indexes": [0, 1],
    }
    config = Qwen3VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=find("<|image_pad|>"),
        video_token_id=find("<|video_pad|>"),
        vision_start_token_id=find("<|vision_start|>"),
        vision_end_token_id=find("<|vision_end|>"),
    )
    return Qwen3VLForConditionalGeneration(config)
