"use strict";
// The data come compressed. When they are unpacked, the scripts that draw from them begin.
let unpacked;
const ready = (async () => {
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent), one => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  unpacked = JSON.parse(await new Response(stream).text());
  const script = document.createElement("script");
  script.textContent = document.getElementById("program").textContent;
  document.body.append(script);
})().catch(error => {
  document.getElementById("from").textContent = `The tables cannot be shown: ${error.message}. A browser of 2023 or later can.`;
});
