// Asks for what the first page waits for while the page's own scripts are still on their way. Built pages only.
;(() => {
  /** By the page's path below the base, or by its beginning up to a slash: the files that it brings. */
  const filesOf = __FILES__
  const base = new URL('.', document.baseURI)
  const path = location.pathname.slice(base.pathname.length)

  /** By the language: the file with the texts of every page, and the one with those of the settings. */
  const textsOf = __TEXTS__
  const isSettings = path.startsWith('settings')

  /** The language that src/i18n/languages.ts would choose; a wrong guess costs a file that nobody reads. */
  const language = () => {
    let chosen
    try {
      chosen = localStorage.getItem('gatehouse-language')
    } catch {
      // A browser that keeps nothing, as in a private frame.
    }
    const known = [chosen, ...navigator.languages].map((tag) => tag?.split('-')[0].toLowerCase())
    return known.find((tag) => tag !== undefined && Object.hasOwn(textsOf, tag)) ?? 'en'
  }

  const spoken = textsOf[language()].slice(0, isSettings ? 2 : 1)
  for (const [page, files] of [[path, spoken], ...filesOf]) {
    if (page !== path && !(page.endsWith('/') && path.startsWith(page))) continue
    for (const file of files) {
      const link = document.createElement('link')
      link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload'
      if (file.endsWith('.css')) link.as = 'style'
      link.crossOrigin = ''
      link.href = new URL(file, base).href
      document.head.append(link)
    }
  }

  // As `send` in src/api/api.ts does, which takes the answers.
  const ask = (what) => {
    const answer = fetch(new URL(what, base), {
      redirect: 'manual',
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { accept: 'application/json, */*;q=0.5' },
    })
    answer.catch(() => {})
    return [what, answer]
  }
  globalThis.gatehouseAhead = new Map(['api/profile', ...(path === '' ? ['api/cameras'] : [])].map(ask))
})()
