using System;
using System.Collections.Generic;
using System.Linq;
using Luban.Core;
using NUnit.Framework;

namespace Luban.Tests
{
    public sealed class ShapeTests
    {
        [Test]
        public void BoxesCoverAShapeExactlyAndOnce()
        {
            for (int seed = 0; seed < 50; seed++)
            {
                Shape shape = Drawn(new Random(seed));
                List<Cell> covered = Boxes.Of(shape).SelectMany(Boxes.CellsOf).ToList();
                Assert.That(covered, Is.EquivalentTo(shape.Cells), "seed " + seed);
            }
        }

        [Test]
        public void ABlockIsOneBox()
        {
            var block = new Block(new Cell(-1, 2, 0), new Cell(3, 4, 5));
            Assert.That(Boxes.Of(Shape.Of(Boxes.CellsOf(block))), Is.EqualTo(new[] { block }));
        }

        [Test]
        public void ABlockShowsItsSidesOnly()
        {
            Shape block = Shape.Of(Boxes.CellsOf(new Block(default(Cell), new Cell(1, 2, 3))));
            Assert.That(Surface.Of(block).Count, Is.EqualTo(2 * (2 * 3 + 3 * 4 + 2 * 4)));
        }

        [Test]
        public void ARotatedShapeIsSortedAndTurned()
        {
            Shape turned = Scenes.Bar(3).Rotated(new Rotation(12));
            Assert.That(turned.Cells, Is.EqualTo(new[] { new Cell(-2, 0, 0), new Cell(-1, 0, 0), new Cell(0, 0, 0) }));
            Assert.That(turned.Bounds, Is.EqualTo(new Block(new Cell(-2, 0, 0), new Cell(0, 0, 0))));
        }

        private static Shape Drawn(Random chance)
        {
            var cells = new List<Cell>();
            for (int i = 0; i < 40; i++)
            {
                cells.Add(new Cell(chance.Next(4), chance.Next(4), chance.Next(4)));
            }
            return Shape.Of(cells);
        }
    }
}
