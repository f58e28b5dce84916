// The search runs in a worker, which browsers do not give a page that was opened from the disk.
// There it runs in a frame that is not shown, which speaks as a worker does.
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    #waiting = [];
    #send = (data) => this.#waiting.push(data);

    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      // The worker finds its folder by the one script that has a source.
      frame.srcdoc = `<script>(${prepare})()</script><script src="${url}"></script>`;
      document.body.append(frame);
      const inside = frame.contentWindow;
      frame.addEventListener("load", () => {
        this.#send = (data) => inside.dispatchEvent(new MessageEvent("message", { data }));
        this.#waiting.splice(0).forEach(this.#send);
      });
      addEventListener("message", (event) => {
        if (event.source === inside)
          this.dispatchEvent(new MessageEvent("message", { data: event.data }));
      });
    }

    postMessage(data) {
      this.#send(data);
    }
  }

  const prepare = () => {
    self.postMessage = (data) => parent.postMessage(data, "*");
    self.importScripts = async (...urls) => {
      for (const url of urls)
        await new Promise((loaded, failed) => {
          const script = document.createElement("script");
          Object.assign(script, { src: url, onload: loaded, onerror: failed });
          document.head.append(script);
        });
    };
  };
  window.Worker = window.IFrameWorker = FrameWorker;
}
