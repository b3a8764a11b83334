using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using UnityEngine;

namespace Luban.Engine
{
    /// <summary>What the engine tells a behaviour, and when: it wakes, is enabled, starts, a frame is due, it ends.</summary>
    internal sealed class Life
    {
        private static readonly List<Life> All = new List<Life>();

        private readonly MonoBehaviour _behaviour;
        private bool _enabled = true;
        private bool _woken;
        private bool _told;
        private bool _started;

        private Life(MonoBehaviour behaviour)
        {
            _behaviour = behaviour;
        }

        public bool Enabled
        {
            get => _enabled;
            set
            {
                _enabled = value;
                Look();
            }
        }

        private bool IsOn => _enabled && Holding.Of(_behaviour).ActiveInHierarchy;

        public static Life Of(MonoBehaviour behaviour)
        {
            Life known = All.FirstOrDefault(life => ReferenceEquals(life._behaviour, behaviour));
            if (known == null)
            {
                known = new Life(behaviour);
                All.Add(known);
            }
            return known;
        }

        /// <summary>A frame: who is new starts, then all are told.</summary>
        public static void Frame()
        {
            TimeNatives.Tick();
            Each(life => life.Start());
            Each(life => life.Tell("FixedUpdate"));
            Each(life => life.Start());
            Each(life => life.Tell("Update"));
            Each(life => life.Tell("LateUpdate"));
            Natives.EndTheDoomed();
        }

        /// <summary>The last frame is over.</summary>
        public static void EndAll() => All.ToList().ForEach(life => life.End());

        /// <summary>Tells it what has become of it since the last look.</summary>
        public void Look()
        {
            if (!_woken && Holding.Of(_behaviour).ActiveInHierarchy)
            {
                _woken = true;
                Tell("Awake");
            }
            if (_woken && IsOn != _told)
            {
                _told = IsOn;
                Tell(_told ? "OnEnable" : "OnDisable");
            }
        }

        public void End()
        {
            All.Remove(this);
            if (_told)
            {
                _told = false;
                Tell("OnDisable");
            }
            if (_woken)
            {
                Tell("OnDestroy");
            }
        }

        private static void Each(Action<Life> action) => All.Where(life => life._told).ToList().ForEach(action);

        private void Start()
        {
            if (!_started && _told)
            {
                _started = true;
                Tell("Start");
            }
        }

        /// <summary>As the engine does: a fault is logged, and what comes next goes on.</summary>
        private void Tell(string message)
        {
            try
            {
                MethodOf(message)?.Invoke(_behaviour, null);
            }
            catch (TargetInvocationException fault)
            {
                Debug.LogException(fault.InnerException);
            }
        }

        private MethodInfo MethodOf(string message)
        {
            const BindingFlags Own =
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            for (Type type = _behaviour.GetType(); type != typeof(MonoBehaviour); type = type.BaseType)
            {
                MethodInfo found = type.GetMethod(message, Own, null, Type.EmptyTypes, null);
                if (found != null)
                {
                    return found;
                }
            }
            return null;
        }
    }
}
