using System.Collections.Generic;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>
    /// Lets loose bodies fall until they rest, in steps of its own: nothing falls at any other time.
    /// What comes of it is reported, and never decides what may move.
    /// </summary>
    internal sealed class Settler
    {
        private const float Step = 1f / 240f;
        private const int StepsOfFrame = 8;
        private const int MostFrames = 60;

        /// <summary>Frames in which nothing moves before all counts as resting.</summary>
        private const int QuietFrames = 6;

        /// <summary>Units a second, or radians: slower than this hardly moves.</summary>
        private const float Still = 0.02f;

        /// <summary>Units that a corner must move for a body to count as fallen.</summary>
        private const float Fall = 0.1f;

        private readonly List<StageBody> _loose;
        private readonly Dictionary<string, RigidTransform> _before;
        private readonly List<FilmFrame> _film = new List<FilmFrame>();
        private readonly double _begin;

        /// <param name="stage">Where all bodies are.</param>
        /// <param name="loose">The bodies that may fall.</param>
        /// <param name="begin">Seconds from the start of the step to the first keyframe.</param>
        public Settler(Stage stage, List<StageBody> loose, double begin)
        {
            _loose = loose;
            _before = stage.Places();
            _begin = begin;
        }

        /// <summary>Keyframes of the fall, if anything fell.</summary>
        public IReadOnlyList<FilmFrame> Film => _film;

        /// <summary>
        /// Lets them fall. Those that stayed are put back exactly.
        /// </summary>
        /// <returns>Names of those that did not stay, in the scene's order.</returns>
        public List<string> Settle()
        {
            SetFree(true);
            for (int frame = 0, quiet = 0; frame < MostFrames && quiet < QuietFrames; frame++)
            {
                _film.Add(Look(_begin + frame * StepsOfFrame * Step));
                quiet = Simulate() ? quiet + 1 : 0;
            }
            SetFree(false);
            List<string> fallen = PutBackWhatStayed();
            if (fallen.Count == 0)
            {
                _film.Clear();
            }
            return fallen;
        }

        private void SetFree(bool free)
        {
            foreach (StageBody body in _loose)
            {
                body.Rigidbody.isKinematic = !free;
                body.Rigidbody.useGravity = free;
            }
        }

        /// <summary>One frame; whether all hardly moved in it.</summary>
        private bool Simulate()
        {
            bool still = true;
            for (int i = 0; i < StepsOfFrame; i++)
            {
                Physics.Simulate(Step);
                foreach (StageBody body in _loose)
                {
                    Rigidbody rigidbody = body.Rigidbody;
                    still &= rigidbody.linearVelocity.magnitude < Still && rigidbody.angularVelocity.magnitude < Still;
                }
            }
            return still;
        }

        private FilmFrame Look(double time)
        {
            var places = new List<BodyTransform>();
            foreach (StageBody body in _loose)
            {
                places.Add(new BodyTransform(body.Name, body.PlaceInEngine));
            }
            return new FilmFrame(time, places);
        }

        private List<string> PutBackWhatStayed()
        {
            var fallen = new List<string>();
            foreach (StageBody body in _loose)
            {
                RigidTransform before = _before[body.Name], after = body.PlaceInEngine;
                bool fell = Shift(body.Bounds, before.ToUnity(), after.ToUnity()) > Fall;
                body.Put(fell ? after : before);
                if (fell)
                {
                    fallen.Add(body.Name);
                }
            }
            Physics.SyncTransforms();
            return fallen;
        }

        /// <summary>Units that the corners of the block around a body have moved, at most.</summary>
        private static float Shift(Block bounds, Matrix4x4 before, Matrix4x4 after)
        {
            Vector3 low = bounds.Low.ToUnity(), high = bounds.High.ToUnity();
            float most = 0f;
            for (int i = 0; i < 8; i++)
            {
                var corner = new Vector3(
                    (i & 1) == 0 ? low.x : high.x, (i & 2) == 0 ? low.y : high.y, (i & 4) == 0 ? low.z : high.z);
                Vector3 way = after.MultiplyPoint3x4(corner) - before.MultiplyPoint3x4(corner);
                most = Mathf.Max(most, way.magnitude);
            }
            return most;
        }
    }
}
