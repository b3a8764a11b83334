using System.Collections.Generic;
using Luban.Core;
using UnityEngine;

namespace Luban.Runtime
{
    /// <summary>
    /// Shows motions to whoever watches the window, in real time: only what is seen moves, the bodies
    /// are where the step left them.
    /// </summary>
    public sealed class MotionPlayer : MonoBehaviour
    {
        private readonly Queue<IReadOnlyList<FilmFrame>> _films = new Queue<IReadOnlyList<FilmFrame>>();
        private UnityWorld _world;
        private Stage _stage;
        private double _time;

        /// <summary>Whether something is still to be shown.</summary>
        public bool IsPlaying => _films.Count > 0;

        internal void Watch(UnityWorld world)
        {
            _world = world;
            world.Moved += film => _films.Enqueue(film);
        }

        private void Update()
        {
            ForgetFormerScene();
            if (!IsPlaying)
            {
                return;
            }
            _time += Time.deltaTime;
            IReadOnlyList<FilmFrame> film = _films.Peek();
            if (film.Count == 0 || _time >= film[film.Count - 1].Time)
            {
                _films.Dequeue();
                _time = 0.0;
                ShowWhereTheyAre();
                return;
            }
            int next = 1;
            while (film[next].Time <= _time)
            {
                next++;
            }
            Show(film[next - 1], film[next]);
        }

        private void ForgetFormerScene()
        {
            if (_world.Stage != _stage)
            {
                _stage = _world.Stage;
                _films.Clear();
                _time = 0.0;
            }
        }

        private void Show(FilmFrame before, FilmFrame after)
        {
            float share = (float)((_time - before.Time) / (after.Time - before.Time));
            var starts = new Dictionary<string, Matrix4x4>();
            foreach (BodyTransform body in before.Bodies)
            {
                starts[body.Name] = body.Transform.ToUnity();
            }
            foreach (BodyTransform body in after.Bodies)
            {
                Matrix4x4 end = body.Transform.ToUnity();
                Matrix4x4 start = starts.ContainsKey(body.Name) ? starts[body.Name] : end;
                _world.Stage[body.Name].ShowAt(Between(start, end, share));
            }
        }

        private void ShowWhereTheyAre()
        {
            foreach (StageBody body in _world.Stage.Bodies)
            {
                body.ShowAt(body.Place.ToUnity());
            }
        }

        private static Matrix4x4 Between(Matrix4x4 start, Matrix4x4 end, float share) => Matrix4x4.TRS(
            Vector3.Lerp(start.Position(), end.Position(), share),
            Quaternion.Slerp(start.rotation, end.rotation, share),
            Vector3.one);
    }
}
