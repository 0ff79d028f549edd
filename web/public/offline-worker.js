// Shows an offline page when a page of the service can't be loaded. It stores nothing else and handles no other request:
// what users can see always comes from the service.
const unavailable = new Set([502, 504])

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('fetch', (event) => {
  const { mode, method, destination, url } = event.request
  const page = mode === 'navigate' && method === 'GET' && destination === 'document'
  if (page && !url.startsWith(`${self.registration.scope}api/`)) event.respondWith(load(event.request))
})

async function load(request) {
  let response
  try {
    response = await fetch(request)
    if (!unavailable.has(response.status)) return response
  } catch {
    // No response.
  }
  const kept = await caches.match(`${self.registration.scope}offline`, { cacheName: 'gatehouse-offline' })
  return kept ?? response ?? Response.error()
}
