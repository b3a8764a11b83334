// Shows a frame of the video and what is said of it; `data` has the stretches of the timeline.
const byId = (id) => document.getElementById(id);
const film = byId("film");
const [LEFT, RIGHT] = [150, 1040];
let shown = 0;

function tell(frame) {
  shown = frame;
  byId("frame").value = frame;
  byId("place").textContent = `frame ${frame} of ${data.frames - 1}, ${(frame / data.fps).toFixed(2)} s`;
  const x = LEFT + ((frame + 0.5) * (RIGHT - LEFT)) / data.frames;
  for (const end of ["x1", "x2"]) byId("now").setAttribute(end, x);
  const rows = data.spans.filter(({ first, last }) => first <= frame && frame <= last);
  const none = { lane: "nothing", words: "stands out here", color: "" };
  byId("said").replaceChildren(...(rows.length ? rows : [none]).map(({ lane, words, color }) => {
    const row = document.createElement("li");
    const name = document.createElement("b");
    name.textContent = lane;
    name.style.color = color;
    row.append(name, ` ${words}`);
    return row;
  }));
}

function seek(frame) {
  film.pause();
  tell(Math.min(data.frames - 1, Math.max(0, frame)));
  film.currentTime = (shown + 0.5) / data.rate;
}

function follow() {
  tell(Math.min(data.frames - 1, Math.floor(film.currentTime * data.rate)));
  if (!film.paused) requestAnimationFrame(follow); // Once the film has ended, its last frame is told.
}

byId("frame").addEventListener("input", () => seek(Number(byId("frame").value)));
byId("back").addEventListener("click", () => seek(shown - 1));
byId("on").addEventListener("click", () => seek(shown + 1));
byId("play").addEventListener("click", () => (film.paused ? film.play() : film.pause()));
film.addEventListener("play", () => { byId("play").textContent = "Pause"; follow(); });
film.addEventListener("pause", () => { byId("play").textContent = "Play"; });
film.addEventListener("error", () => { byId("place").textContent = `${film.getAttribute("src")} is missing`; });
byId("lanes").addEventListener("click", (event) => {
  const box = byId("lanes").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * RIGHT;
  if (x >= LEFT) seek(Math.floor(((x - LEFT) / (RIGHT - LEFT)) * data.frames));
});
tell(0);
