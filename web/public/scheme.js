// Sets light or dark before the first paint. Its own file, since the page allows no inline script.
;(() => {
  let kept
  try {
    kept = localStorage.getItem('gatehouse-scheme')
  } catch {
    // Storage is closed to us, as in a private frame: follow the system.
  }
  const root = document.documentElement
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

  // The browser's own bar takes the color of what is shown, which need not be the system's.
  const bars = [...document.querySelectorAll('meta[name="theme-color"]')]
  const colors = { light: bars[0]?.content, dark: bars[1]?.content }
  const paint = () => {
    const color = colors[root.getAttribute('data-mantine-color-scheme') ?? 'light']
    for (const bar of bars) bar.content = color
  }
  paint()
  new MutationObserver(paint).observe(root, { attributeFilter: ['data-mantine-color-scheme'] })
})()
