import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { ahead } from './build/ahead.ts'
import { compressed } from './build/compressed.ts'
import { mantineStyled } from './build/mantine-styled.ts'
import { schemeFirst } from './build/scheme-first.ts'
import { messages, moduleOf } from './messages/plugin.ts'

/** The service that `npm run dev` uses: the gate, or the internal port with `GATEHOUSE=http://127.0.0.1:5000`. */
const service = process.env['GATEHOUSE'] ?? 'https://localhost:8971'
const root = fileURLToPath(new URL('.', import.meta.url))

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
  plugins: [messages(), react(), schemeFirst(), ahead(root), mantineStyled(root), compressed()],
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
