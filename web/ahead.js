// Asks for what the first page waits for while the page's own scripts are still on their way. Built pages only.
;(() => {
  /** By the page's path below the base, or by its beginning up to a slash: its files, and its texts. */
  const pages = __PAGES__
  const base = new URL('.', document.baseURI)
  const path = location.pathname.slice(base.pathname.length)

  /** By the language's tag: the file of each catalog of texts. */
  const textsOf = __TEXTS__

  /** The language that src/i18n/languages.ts would choose; a wrong guess loads a file for nothing. */
  const language = () => {
    let chosen
    try {
      chosen = localStorage.getItem('gatehouse-language')
    } catch {
      // A browser that keeps nothing, as in a private frame.
    }
    const known = [chosen, ...navigator.languages].map(
      (preferred) =>
        preferred && Object.keys(textsOf).find((tag) => tag.split('-')[0] === preferred.split('-')[0].toLowerCase()),
    )
    return known.find((tag) => tag) ?? 'en'
  }

  const texts = textsOf[language()]
  const opened = pages.filter(([page]) => page === path || (page.endsWith('/') && path.startsWith(page)))
  for (const [, files, names] of [['', [], ['common']], ...opened]) {
    for (const file of [...files, ...names.map((name) => texts[name])]) {
      const link = document.createElement('link')
      link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload'
      if (file.endsWith('.css')) link.as = 'style'
      link.crossOrigin = ''
      link.href = new URL(file, base).href
      document.head.append(link)
    }
  }

  // As `send` in src/api/api.ts does, which takes the responses.
  const ask = (what) => {
    const response = fetch(new URL(what, base), {
      redirect: 'manual',
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { accept: 'application/json, */*;q=0.5' },
    })
    response.catch(() => {})
    return [what, response]
  }
  const alsoNeeded = { '': ['api/cameras'], login: ['api/login/methods'] }
  // The page's own scripts can be the first to arrive. They have then asked for all this themselves.
  // Someone who opens a link has no account, or none yet.
  const needed = /^(?:s|invite|reset)\//.test(path) ? [] : ['api/profile', ...(alsoNeeded[path] ?? [])]
  globalThis.gatehouseAhead ??= new Map(needed.map(ask))
})()
