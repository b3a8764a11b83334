using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Luban.Tests.EditMode")]
[assembly: InternalsVisibleTo("Luban.Tests.PlayMode")]
