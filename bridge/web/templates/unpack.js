"use strict";
// Unpacks the episode and the viewer of this page, and starts the viewer.
(async () => {
  const unpack = async (id) => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  };
  try {
    document.getElementById("replay").textContent = await unpack("packed-replay");
    const script = document.createElement("script");
    script.textContent = await unpack("packed-viewer");
    document.body.append(script);
  } catch (error) {
    document.getElementById("app").textContent = `This browser can't unpack the page: ${error.message}`;
  }
})();
