import { useEffect } from 'react'
import { basePath } from '../shared/base.ts'
import { useTexts } from '../i18n/texts.ts'
import { offlinePage } from './offline-page.ts'

/** In the installed app, keeps the page that says that the service is away, in the language that is spoken. */
export function KeepOffline() {
  const { offline } = useTexts()
  useEffect(() => {
    if (isInstalled()) keep(offline).catch(() => {})
  }, [offline])
  return null
}

/** A browser's tab has a page of its own for this, and a frame is somebody else's page. */
const isInstalled = (): boolean =>
  import.meta.env.PROD &&
  'serviceWorker' in navigator &&
  window.top === window &&
  !matchMedia('(display-mode: browser)').matches

async function keep(texts: Parameters<typeof offlinePage>[0]['texts']): Promise<void> {
  const { lang, dir } = document.documentElement
  const cache = await caches.open('gatehouse-offline')
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  }
  await cache.put(`${basePath}offline`, new Response(offlinePage({ lang, dir, texts }), { headers }))
  await navigator.serviceWorker.register(`${basePath}offline-worker.js`, { scope: basePath })
}
