import react from '@vitejs/plugin-react'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { languageTags } from './messages/catalogs.ts'
import { messages, moduleOf } from './messages/plugin.ts'

/** The service that `npm run dev` uses: the gate, or the internal port with `GATEHOUSE=http://127.0.0.1:5000`. */
const service = process.env['GATEHOUSE'] ?? 'https://localhost:8971'
const root = fileURLToPath(new URL('.', import.meta.url))

/** Writes `x.js.br` and `x.js.gz` next to `x.js`, so that the service doesn't compress files that never change. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  // After writing: until then the build still fills in the file names that a chunk imports.
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css)$/.test(file))) {
      const file = join(dir, name)
      const source = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(source))
      writeFileSync(`${file}.gz`, gzipSync(source))
    }
  },
}

/** Sets light or dark before the first paint. The script is not a module, so the bundler ignores it. */
const schemeFirst: Plugin = {
  name: 'scheme-first',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', attrs: { src: './scheme.js' }, injectTo: 'head' }],
  },
}

/** Pages that are opened by URL, with the modules and the texts that each would otherwise fetch one after another. */
const openedFirst: readonly (readonly [page: string, modules: readonly string[], texts: readonly string[]])[] = [
  ['login', ['session/LoginPage.tsx'], ['login']],
  ['', ['app/AppShell.tsx', 'live/LivePage.tsx'], ['live', 'reasons', 'shortcuts']],
  ['cameras/', ['app/AppShell.tsx', 'live/CameraPage.tsx'], ['live', 'reasons', 'shortcuts', 'storage', 'system']],
  ['settings/', ['app/AppShell.tsx', 'app/settings/SettingsFrame.tsx'], ['settings']],
  ['settings/users', ['settings/users/UsersPage.tsx'], ['account', 'roles', 'users']],
]

/** Writes `ahead.js`, which preloads all of these in parallel. Its tag follows <base>, like every other. */
const ahead: Plugin = {
  name: 'ahead',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', attrs: { src: './ahead.js', async: true }, injectTo: 'head' }],
  },
  // After Vite has assigned styles to chunks.
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
      const filesOf = (chunk: Rolldown.OutputChunk, found: Set<string>): Set<string> => {
        if (found.has(chunk.fileName)) return found
        found.add(chunk.fileName)
        for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
        for (const name of chunk.imports) {
          const next = named.get(name)
          if (next) filesOf(next, found)
        }
        return found
      }
      const main = chunks.find(({ isEntry }) => isEntry)
      if (!main) throw new Error('the build has no entry')
      const already = filesOf(main, new Set())
      const chunkOf = (module: string) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module)
        if (!chunk) throw new Error(`ahead: ${module} has no chunk`)
        return chunk
      }
      const pages = openedFirst.map(([page, modules, texts]) => {
        const found = new Set<string>()
        for (const module of modules) filesOf(chunkOf(join(root, 'src', module)), found)
        return [page, [...found].filter((file) => !already.has(file)), texts]
      })
      const preloaded = new Set(['common', ...openedFirst.flatMap(([, , texts]) => texts)])
      const texts = Object.fromEntries(
        languageTags.map((tag) => [
          tag,
          Object.fromEntries([...preloaded].map((name) => [name, chunkOf(moduleOf(tag, name)).fileName])),
        ]),
      )
      const source = readFileSync(join(root, 'ahead.js'), 'utf8')
        .replace('__PAGES__', JSON.stringify(pages))
        .replace('__TEXTS__', JSON.stringify(texts))
      this.emitFile({ type: 'asset', fileName: 'ahead.js', source })
    },
  },
}

/**
 * Fails the build if a used Mantine component has no styles in mantine.css: it would look broken and no test would
 * notice.
 */
const mantineStyled: Plugin = {
  name: 'mantine-styled',
  apply: 'build',
  generateBundle(_options, bundle) {
    const styles = readFileSync(join(root, 'src/mantine.css'), 'utf8')
    const used = Object.values(bundle)
      .flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []))
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .flatMap(([id]) => /@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1] ?? [])
    const missing = used.filter((part) => !styles.includes(`/styles/${part}.css'`))
    if (used.length === 0) throw new Error('mantine-styled no longer finds the components of Mantine')
    if (missing.length > 0) throw new Error(`src/mantine.css lacks ${missing.join(', ')}`)
  },
}

/** Components that open over the page, which the login page doesn't need. */
const floating =
  /node_modules\/@floating-ui\/|@mantine\/core\/esm\/components\/(?:Popover|Tooltip|Transition|Floating|FocusTrap|Progress)/
/** Mantine's other components, used by the settings. */
const parts = /@mantine\/core\/esm\/components\//
/** Libraries and components that every page needs. */
const base =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|clsx|@tanstack\/[\w-]+|react-transition-group|@babel\/runtime|@mantine\/(?:hooks|store|notifications))\/|@mantine\/core\/esm\/(?:core|components\/(?:Input|InputBase|InputClearButton|PasswordInput|TextInput|NativeSelect|Button|ActionIcon|Anchor|CloseButton|UnstyledButton|Loader|Notification|Alert|Title|Text|Paper|Stack|Group|Space|Skeleton|Portal))\//

/** The app's modules that belong to no single page; of the settings only the section list. */
const shared =
  /web\/src\/(?:app\/(?:settings\/sections|\w+\.)|i18n\/|api\/|lib\/|session\/(?!SessionList|Password|password-|device|WhosePassword)|ui\/(?:LanguageSelect|Loading|Logo|NotFound|Notice|PageTitle|useSubmission)|settings\/search|(?:review|exports|history)\/(?:search|history-search))|virtual:messages$|createReactComponent|icons\/Icon(?:Activity|AlertCircle|AlertTriangle|Database|DeviceCctv|DeviceDesktop|Download|FileCode|FileText|History|Key|Language|Moon|Settings|Sun|TimelineEvent|UserSearch|Users|Walk|X)\./
/** The icons of some pages. */
const icons = /@tabler\/icons-react/

/** What the live view shares with a camera's page, and the app shell with the pages it links to. */
const watching =
  /web\/src\/(?:live\/(?!search)|events\/|cameras\/|ui\/(?:ErrorState|SchemeSwitch|Shortcuts|Tools|character-keys|useKeys)|exports\/(?:exports|queries|useExportName)|review\/(?:review|queries)\.)|icons\/Icon(?:Check|ChevronDown|DeviceCctvOff|Keyboard|Maximize|Minimize|PlugConnectedX|Route|VideoOff|Volume|VolumeOff)\./

export default defineConfig({
  root,
  // Relative, so that one build works below any `http.base_path`: every URL resolves against the page's <base>.
  base: './',
  plugins: [messages(), react(), schemeFirst, ahead, mantineStyled, compressed],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // A data: script or font would require a looser Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The texts are named by their language and catalog, for example `texts.de.live-….js`.
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.startsWith(moduleOf('', '').slice(0, -2)) && facadeModuleId.includes('/')
            ? `assets/texts.${facadeModuleId.split('/').slice(1).join('.')}-[hash].js`
            : 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [
            { name: 'base', test: base, priority: 4 },
            { name: 'floating', test: floating, priority: 3 },
            { name: 'parts', test: parts, priority: 2 },
            // Modules used by several pages go into one file, not one per icon or button.
            { name: 'shared', test: shared, minShareCount: 2, priority: 1 },
            { name: 'watching', test: watching, minShareCount: 2, priority: 1 },
            { name: 'icons', test: icons, minShareCount: 2, priority: 0 },
            { name: 'settings', test: /web\/src\/settings\//, minShareCount: 5, priority: 0 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: service, secure: false, ws: true } } },
})
