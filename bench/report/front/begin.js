"use strict";
// The data and Vega come compressed. When they are unpacked, the scripts that draw from them begin.
let unpacked;
const ready = (async () => {
  const unpack = id => {
    const packed = Uint8Array.from(atob(document.getElementById(id).textContent), one => one.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  unpacked = JSON.parse(await unpack("data"));
  for (const text of [`(() => {${await unpack("vega")}\n})();`, document.getElementById("program").textContent]) {
    const script = document.createElement("script");
    script.textContent = text;
    document.body.append(script);
  }
})().catch(error => {
  document.getElementById("from").textContent = `The tables cannot be shown: ${error.message}. A browser of 2024 or later can.`;
});
