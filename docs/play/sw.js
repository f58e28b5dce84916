// Answers what the table's page asks: every request goes to the Python in the window around it. What
// else this folder has comes from what the window has kept, so that it needs no network.

const BASE = new URL("./", self.location).pathname;
const TABLE = `${BASE}table/`;
const streams = new Set();

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("message", ({ data }) => {
  if (data !== "cut") return; // any other word only says that somebody is there
  for (const stream of streams) stream.error(new TypeError("the power is cut"));
  streams.clear();
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  if (url.pathname.startsWith(TABLE)) event.respondWith(answered(event.request, `/${url.pathname.slice(TABLE.length)}`, url.search));
  else if (url.pathname === `${BASE}kept.json`) event.respondWith(fetch(event.request).catch(() => kept(url)));
  else if (url.pathname.startsWith(BASE)) event.respondWith(url.search ? fetch(event.request).catch(() => kept(url)) : kept(url));
  else event.respondWith(ofPage(event, url));
});

/** A file of this folder, as it was kept; else from the network. */
async function kept(url) {
  const path = url.pathname === BASE ? `${BASE}index.html` : url.pathname;
  return (await caches.match(path)) ?? fetch(path);
}

/** Requests of the table's own page go to it by whatever path; all others to the network. */
async function ofPage(event, url) {
  const client = await clients.get(event.clientId);
  const isTables = client && new URL(client.url).pathname.startsWith(TABLE);
  return isTables ? answered(event.request, url.pathname, url.search) : fetch(event.request);
}

async function answered(request, path, query) {
  if (path.startsWith("/static/")) return kept(new URL(`${BASE}${path.slice(1)}`, location));
  const body = ["GET", "HEAD"].includes(request.method) ? new ArrayBuffer(0) : await request.arrayBuffer();
  const asked = { does: "ask", method: request.method, path, query: query.slice(1), headers: [...request.headers], body };
  const { status, headers, stream } = await handed(asked);
  const shown = headers.filter(([name]) => name !== "content-length").map(([name, value]) => [name, allowed(name, value)]);
  const isPage = headers.some(([name, value]) => name === "content-type" && value.startsWith("text/html"));
  if (!isPage) return new Response(stream, { status, headers: shown });
  const text = await new Response(stream).text();
  return new Response(text.replaceAll('href="/', `href="${TABLE}`), { status, headers: shown });
}

/** The page may stand in a frame of this site. */
function allowed(name, value) {
  return name === "content-security-policy" ? value.replace("frame-ancestors 'none'", "frame-ancestors 'self'") : value;
}

/** Hand a request to the window with the table in it; resolves once the answer begins. */
async function handed(asked) {
  const windows = (await clients.matchAll({ type: "window", includeUncontrolled: true })).filter(({ url }) => {
    const { pathname } = new URL(url);
    return pathname === BASE || pathname === `${BASE}index.html`;
  });
  return new Promise((done, failed) => {
    if (!windows.length) failed(new TypeError("no window has the table"));
    for (const window of windows) {
      const { port1: near, port2: far } = new MessageChannel();
      let stream;
      near.onmessage = ({ data }) => {
        if (data.status) {
          const made = new ReadableStream({
            start: (controller) => streams.add((stream = controller)),
            cancel: () => {
              streams.delete(stream);
              near.postMessage("gone");
            },
          });
          const isBare = data.status === 204 || data.status === 304;
          done({ status: data.status, headers: data.headers, stream: isBare ? null : made });
        } else if (data.part) stream.enqueue(data.part);
        else if (data.end) {
          if (streams.delete(stream)) stream.close();
        } else failed(new TypeError(data.fault));
      };
      window.postMessage(asked, [far]);
    }
  });
}
