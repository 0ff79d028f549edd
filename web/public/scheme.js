// Sets light or dark before the first paint. A file of its own, since the page allows no inline script.
;(() => {
  let kept
  try {
    kept = localStorage.getItem('gatehouse-scheme')
  } catch {
    // Storage is closed to us, as in a private frame: follow the system.
  }
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
