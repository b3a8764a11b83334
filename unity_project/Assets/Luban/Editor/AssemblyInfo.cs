using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Luban.Tests.EditMode")]
