using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>
    /// The lattice's world, shown and measured in PhysX: the lattice decides what moves, PhysX says
    /// how far it would have let it go and which loose bodies fall.
    /// </summary>
    internal sealed class UnityWorld : IWorld
    {
        private readonly LatticeWorld _lattice = new LatticeWorld();
        private readonly Material _material;
        private readonly bool _physics;

        /// <param name="material">The material of bodies, or null. The world destroys it.</param>
        /// <param name="physics">Whether PhysX measures and lets loose bodies fall.</param>
        public UnityWorld(Material material, bool physics)
        {
            _material = material;
            _physics = physics;
        }

        /// <summary>The bodies in the engine; null while there is no scene.</summary>
        public Stage Stage { get; private set; }

        public string Engine => "Unity " + Application.unityVersion + (_physics ? ", PhysX" : ", lattice only");

        public bool HasScene => _lattice.HasScene;

        public ulong Digest => _lattice.Digest;

        /// <summary>Called with the keyframes of each step that was carried out.</summary>
        public event Action<IReadOnlyList<FilmFrame>> Moved;

        public void Reset(Scene scene)
        {
            _lattice.Reset(scene);
            Stage?.Destroy();
            Stage = new Stage(scene, _material);
        }

        public Report Execute(IReadOnlyList<BodyMotion> motions)
        {
            Dictionary<string, LatticePose> poses = HasScene ? Poses() : null;
            Report verdict = _lattice.Execute(motions);
            Dictionary<string, RigidTransform> before = Stage.Places();
            Testimony said = Perform(motions, verdict, poses);
            if (!verdict.Completed)
            {
                Stage.Restore(before);
            }
            Report report = verdict.Completed && _physics
                ? Settled(verdict, said)
                : verdict.Seen(said.Measured, said.Witnessed, verdict.Fallen, verdict.Keyframes);
            Moved?.Invoke(report.Keyframes);
            return report;
        }

        public IReadOnlyList<BodyTransform> Transforms()
        {
            if (!HasScene)
            {
                throw LatticeException.NoScene();
            }
            return Stage.Bodies.Select(body => new BodyTransform(body.Name, body.Place)).ToList();
        }

        /// <summary>Destroy the scene and the material.</summary>
        public void Destroy()
        {
            Stage?.Destroy();
            Stage = null;
            if (_material != null)
            {
                UnityEngine.Object.Destroy(_material);
            }
        }

        private Dictionary<string, LatticePose> Poses() =>
            Stage.Bodies.ToDictionary(body => body.Name, body => _lattice.PoseOf(body.Name));

        /// <summary>
        /// Moves bodies in the engine as far as the verdict says; what PhysX says of a sweep. What is
        /// carried or turned is put where the lattice has it: of its way PhysX is not asked.
        /// </summary>
        private Testimony Perform(
            IReadOnlyList<BodyMotion> motions, Report verdict, Dictionary<string, LatticePose> poses)
        {
            var said = new Testimony(verdict.Measured, verdict.Witnessed);
            for (int i = 0; i < motions.Count && i <= verdict.Reached; i++)
            {
                if (motions[i] is Sweep sweep)
                {
                    said = _physics ? SweepProbe.Ask(Stage, sweep) : said;
                    Shift(sweep, poses);
                }
                else if (motions[i] is Turn turn)
                {
                    Put(turn.Bodies, turn.Of, poses);
                }
                else
                {
                    var carry = (Carry)motions[i];
                    Put(carry.Bodies, pose => carry.Way.Aggregate(pose, (at, leg) => leg.Of(at)), poses);
                }
                Physics.SyncTransforms();
            }
            return said;
        }

        private void Shift(Sweep sweep, Dictionary<string, LatticePose> poses)
        {
            Cell step = Directions.Vector(sweep.Direction);
            foreach (string name in sweep.Bodies)
            {
                StageBody body = Stage[name];
                body.Put(body.Place.Moved(step, sweep.Distance));
                poses[name] = poses[name].Moved(step * sweep.Distance);
            }
        }

        private void Put(
            IEnumerable<string> names, Func<LatticePose, LatticePose> way, Dictionary<string, LatticePose> poses)
        {
            foreach (string name in names)
            {
                poses[name] = way(poses[name]);
                Stage[name].Put(RigidTransform.Of(poses[name]));
            }
        }

        private Report Settled(Report verdict, Testimony said)
        {
            List<StageBody> loose = Stage.Bodies.Where(body => _lattice.IsLoose(body.Name)).ToList();
            if (loose.Count == 0)
            {
                return verdict.Seen(said.Measured, said.Witnessed, verdict.Fallen, verdict.Keyframes);
            }
            double begin = verdict.Keyframes.Select(keyframe => keyframe.Time + Film.Pause).LastOrDefault();
            var settler = new Settler(Stage, loose, begin);
            List<string> fallen = settler.Settle();
            return verdict.Seen(said.Measured, said.Witnessed, fallen, verdict.Keyframes.Concat(settler.Film).ToList());
        }
    }
}
