import type { Plugin } from 'vite'

/** Sets light or dark before the first paint. The script is not a module, so the bundler ignores it. */
export const schemeFirst = (): Plugin => ({
  name: 'scheme-first',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', attrs: { src: './scheme.js' }, injectTo: 'head' }],
  },
})
