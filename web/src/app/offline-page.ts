import type { Texts } from '../i18n/texts.ts'

export interface OfflinePageProps {
  readonly lang: string
  readonly dir: string
  readonly texts: Texts['offline']
}

/** The page an installed app shows while the service is unreachable. It reloads itself without a script. */
export const offlinePage = ({ lang, dir, texts }: OfflinePageProps): string => `<!doctype html>
<html lang="${escapeHtml(lang)}" dir="${escapeHtml(dir)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f8f7" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#101716" media="(prefers-color-scheme: dark)">
<meta http-equiv="refresh" content="${tryEvery}">
<title>${escapeHtml(texts.title)}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100dvh; display: grid; place-content: center; justify-items: center; padding: 24px;
  box-sizing: border-box; text-align: center; font: 16px/1.5 system-ui, sans-serif;
  background: light-dark(#f6f8f7, #101716); color: light-dark(#17211f, #dfe6e4) }
h1 { margin: 20px 0 8px; font-size: 22px; font-weight: 600 }
p { margin: 0 0 24px; max-width: 26rem; color: light-dark(#56635f, #b6c2be) }
a { padding: 10px 20px; border-radius: 8px; background: #147662; color: #fff; text-decoration: none; font-weight: 600 }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 2px }
</style>
<svg width="56" height="56" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#147662"/><path fill="#fff" fill-rule="evenodd" d="M7 25V7h4v2.6h3V7h4v2.6h3V7h4v18h-5v-4.6a4 4 0 0 0-8 0V25zm9-13.2a1.9 1.9 0 1 0 0 3.8 1.9 1.9 0 0 0 0-3.8z"/></svg>
<h1>${escapeHtml(texts.title)}</h1>
<p>${escapeHtml(texts.body)}</p>
<a href="">${escapeHtml(texts.again)}</a>
`

/** Seconds between reloads. */
const tryEvery = 15

const escapeHtml = (raw: string): string =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
