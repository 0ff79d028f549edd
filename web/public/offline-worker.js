// Answers with a page of our own where a page of the service cannot be had. It keeps nothing and looks at nothing else:
// what people may see comes from the service, or not at all.
const away = new Set([502, 504])

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('fetch', (event) => {
  const { mode, method, destination, url } = event.request
  const page = mode === 'navigate' && method === 'GET' && destination === 'document'
  if (page && !url.startsWith(`${self.registration.scope}api/`)) event.respondWith(load(event.request))
})

async function load(request) {
  let answer
  try {
    answer = await fetch(request)
    if (!away.has(answer.status)) return answer
  } catch {
    // Nobody answers.
  }
  const kept = await caches.match(`${self.registration.scope}offline`, { cacheName: 'gatehouse-offline' })
  return kept ?? answer ?? Response.error()
}
