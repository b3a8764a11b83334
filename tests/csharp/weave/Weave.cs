using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Luban.Weaving
{
    /// <summary>
    /// Gives what an engine's assemblies leave to native code a body: that of the stand-in which is meant for it,
    /// or one that throws and says whose it is. What is written in C# stays as it is, but where a stand-in says
    /// otherwise.
    /// </summary>
    internal static class Weave
    {
        private const string Attribute = "StandsForAttribute";
        private const int WrongArguments = 2;

        /// <summary>Usage: STAND-INS.dll OUT-FOLDER ASSEMBLY.dll...; 1 if a stand-in stands for nothing.</summary>
        public static int Main(string[] arguments)
        {
            if (arguments.Length < 3)
            {
                Console.Error.WriteLine("usage: weave STAND-INS.dll OUT-FOLDER ASSEMBLY.dll...");
                return WrongArguments;
            }
            Dictionary<string, MethodDefinition> standIns = Read(arguments[0]);
            var used = new HashSet<string>();
            foreach (string path in arguments.Skip(2))
            {
                WeaveAssembly(path, arguments[1], standIns, used);
            }
            List<string> idle = standIns.Keys.Where(key => !used.Contains(key)).ToList();
            idle.ForEach(key => Console.Error.WriteLine("no such method in the engine: " + key));
            return idle.Count == 0 ? 0 : 1;
        }

        /// <summary>Stand-ins by what they stand for: type, method and parameters.</summary>
        private static Dictionary<string, MethodDefinition> Read(string path)
        {
            var found = new Dictionary<string, MethodDefinition>();
            foreach (TypeDefinition type in AssemblyDefinition.ReadAssembly(path, Parameters(path)).MainModule.Types)
            {
                CustomAttribute meant = type.CustomAttributes.FirstOrDefault(a => a.AttributeType.Name == Attribute);
                if (meant == null)
                {
                    continue;
                }
                var name = (string)meant.ConstructorArguments[0].Value;
                foreach (MethodDefinition method in type.Methods.Where(method => method.IsPublic && method.IsStatic))
                {
                    found.Add(Key(name, method, method.Parameters.Select(p => p.ParameterType)), method);
                }
            }
            return found;
        }

        private static void WeaveAssembly(
            string path, string folder, Dictionary<string, MethodDefinition> standIns, HashSet<string> used)
        {
            AssemblyDefinition assembly = AssemblyDefinition.ReadAssembly(path, Parameters(path));
            int wanting = 0;
            foreach (TypeDefinition type in assembly.MainModule.GetTypes())
            {
                foreach (MethodDefinition method in type.Methods)
                {
                    string key = Key(type.FullName.Replace('/', '+'), method, Handed(method));
                    if (standIns.ContainsKey(key))
                    {
                        used.Add(key);
                        Call(method, standIns[key]);
                    }
                    else if (IsNative(method))
                    {
                        wanting++;
                        Refuse(method);
                    }
                }
            }
            assembly.Write(Path.Combine(folder, Path.GetFileName(path)));
            Console.WriteLine(Path.GetFileName(path) + ": " + wanting + " native methods have no stand-in");
        }

        private static ReaderParameters Parameters(string path)
        {
            var resolver = new DefaultAssemblyResolver();
            resolver.AddSearchDirectory(Path.GetDirectoryName(Path.GetFullPath(path)));
            return new ReaderParameters { AssemblyResolver = resolver };
        }

        /// <summary>What a method is handed, itself first.</summary>
        private static IEnumerable<TypeReference> Handed(MethodDefinition method)
        {
            if (method.HasThis)
            {
                TypeDefinition type = method.DeclaringType;
                yield return type.IsValueType ? new ByReferenceType(type) : (TypeReference)type;
            }
            foreach (ParameterDefinition parameter in method.Parameters)
            {
                yield return parameter.ParameterType;
            }
        }

        private static string Key(string type, MethodDefinition method, IEnumerable<TypeReference> handed) =>
            type + "::" + method.Name + (method.HasGenericParameters ? "<>" : "")
            + "(" + string.Join(",", handed.Select(each => each.FullName)) + ")";

        private static bool IsNative(MethodDefinition method) =>
            (!method.HasBody || method.RVA == 0) && !method.IsAbstract && !method.IsRuntime && !method.IsPInvokeImpl;

        private static void Call(MethodDefinition method, MethodDefinition standIn)
        {
            MethodReference target = method.Module.ImportReference(standIn);
            if (method.HasGenericParameters)
            {
                var instance = new GenericInstanceMethod(target);
                method.GenericParameters.ToList().ForEach(instance.GenericArguments.Add);
                target = instance;
            }
            ILProcessor body = Emptied(method);
            for (int i = 0; i < method.Parameters.Count + (method.HasThis ? 1 : 0); i++)
            {
                body.Append(body.Create(OpCodes.Ldarg, method.HasThis ? This(method, i) : method.Parameters[i]));
            }
            body.Append(body.Create(OpCodes.Call, target));
            body.Append(body.Create(OpCodes.Ret));
        }

        private static ParameterDefinition This(MethodDefinition method, int i) =>
            i == 0 ? method.Body.ThisParameter : method.Parameters[i - 1];

        private static void Refuse(MethodDefinition method)
        {
            MethodReference constructor = method.Module.ImportReference(
                typeof(NotImplementedException).GetConstructor(new[] { typeof(string) }));
            ILProcessor body = Emptied(method);
            body.Append(body.Create(OpCodes.Ldstr, "no stand-in for the engine's native " + method.FullName));
            body.Append(body.Create(OpCodes.Newobj, constructor));
            body.Append(body.Create(OpCodes.Throw));
        }

        private static ILProcessor Emptied(MethodDefinition method)
        {
            method.ImplAttributes = MethodImplAttributes.IL | MethodImplAttributes.Managed;
            method.Body = new MethodBody(method);
            return method.Body.GetILProcessor();
        }
    }
}
