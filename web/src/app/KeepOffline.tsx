import { useEffect } from 'react'
import { basePath } from '../lib/base.ts'
import { useTexts } from '../i18n/texts.ts'
import { offlinePage } from './offline-page.ts'

/** In the installed app, stores the page that is shown while the service is unreachable, in the current language. */
export function KeepOffline() {
  const { offline } = useTexts()
  useEffect(() => {
    if (isInstalled()) keep(offline).catch(() => {})
  }, [offline])
  return null
}

/** A browser tab has its own error page, and an embedding site shows its own content. */
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
