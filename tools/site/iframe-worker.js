// A page that is opened from a folder may start no worker. There, what a worker does is done by a hidden frame, so that the
// search works without a server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.body.appendChild(document.createElement("iframe"))
      frame.hidden = true
      const inside = frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = (...scripts) => Promise.all(scripts.map(script => load(inside.document, script)))
      this.started = load(inside.document, url)
      this.inside = inside
    }
    postMessage(data) {
      this.started.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {
      this.inside.frameElement.remove()
    }
  }
  const load = (where, url) => new Promise((done, failed) => {
    const script = where.createElement("script")
    Object.assign(script, { src: url, onload: done, onerror: failed })
    where.body.append(script)
  })
}
