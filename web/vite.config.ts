import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { ahead } from './build/ahead.ts'
import { compressed } from './build/compressed.ts'
import { mantineStyled } from './build/mantine-styled.ts'
import { schemeFirst } from './build/scheme-first.ts'
import { messages, moduleOf } from './messages/plugin.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Libraries and components that every page needs, with what they import. */
const base =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|clsx|@tanstack\/[\w-]+)\/|@mantine\/core\/esm\/(?:core|components\/(?:Button|ActionIcon|Anchor|CloseButton|UnstyledButton|Loader|Alert|Title|Text|Paper|Stack|Group|Space|Skeleton|Portal|Transition))\//

/** The app's modules that belong to no single page; of the settings only the section list. The sign-in page has no menu. */
const shared =
  /web\/src\/(?:app\/(?:settings\/sections|(?!SideMenu|menu)\w+\.)|i18n\/|api\/|lib\/|session\/(?!SmallPage|useSignOut|SessionList|device|factors\/|password\/|sign-in\/(?:PasswordSignIn|SecondStep|PasskeySignIn))|ui\/(?:Logo|PageTitle|feedback\/(?:Loading|ToastArea|NoPage|NotFound|Notice)|forms\/useSubmission)|settings\/search|(?:live|review|exports|history)\/(?:search|history-search))|virtual:messages$|@mantine\/hooks\/esm\/use-(?:timeout|uncontrolled)\/|createReactComponent|icons\/Icon(?:AlertCircle|AlertTriangle|DeviceCctv|Download|History|Settings|Walk|X)\./

/** What the live view shares with a camera's page, and the app shell with the pages it links to. */
const watching =
  /web\/src\/(?:app\/(?:SideMenu|menu)\.|live\/(?!search)|events\/|cameras\/|ui\/(?:IconButton|Tools|feedback\/(?:ErrorState|LoadingRing|StaleAlert)|popovers\/(?:Tooltip\.|usePanel)|shortcuts\/)|exports\/(?:queries|useExportName)|playback\/data-saver|review\/(?:counts|queries|UnseenAlerts)\.)|@mantine\/hooks\/esm\/use-(?:debounced-callback|element-size|event-listener|fullscreen|local-storage|media-query|mounted|resize-observer|throttled-callback|window-event)\/|icons\/Icon(?:Check|ChevronDown|DeviceCctvOff|Keyboard|Maximize|Minimize|PlayerPlayFilled|PlugConnectedX|Route|VideoOff|Volume|VolumeOff)\./

/** Components that open over the page, loaded when they first do. */
const floating =
  /node_modules\/@floating-ui\/|@mantine\/core\/esm\/components\/(?:Popover|Tooltip|Progress)\/|web\/src\/ui\/popovers\/(?:Panel|Popover)\./
/** Toasts, loaded with pages that show some. */
const toasts = /node_modules\/@mantine\/notifications\//
/** Fields of forms, and what the sign-in page shares with other forms. The live view has no fields. */
const fields =
  /@mantine\/core\/esm\/components\/(?:Input|InputBase|InputClearButton|PasswordInput|TextInput|NativeSelect)\/|web\/src\/(?:session\/SmallPage|ui\/LanguageSelect)\.|icons\/IconLanguage\./
/** Mantine's other components, used by the settings. */
const parts = /@mantine\/core\/esm\/components\//
/** The icons of some pages. */
const icons = /@tabler\/icons-react/

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
          // A group includes what its modules import, unless a group of higher priority has it.
          groups: [
            { name: 'base', test: base, priority: 6 },
            // Modules used by several pages go into one file, not one per icon or button.
            { name: 'shared', test: shared, minShareCount: 2, priority: 5 },
            { name: 'watching', test: watching, minShareCount: 2, priority: 4 },
            // For toasts and for dialogs, so that neither loads the other.
            { name: 'remove-scroll', test: /node_modules\/react-remove-scroll\//, priority: 4 },
            { name: 'fields', test: fields, priority: 3 },
            { name: 'floating', test: floating, priority: 3 },
            { name: 'toasts', test: toasts, priority: 3 },
            { name: 'parts', test: parts, priority: 2 },
            { name: 'icons', test: icons, minShareCount: 2, priority: 0 },
            { name: 'settings', test: /web\/src\/settings\//, minShareCount: 5, priority: 0 },
          ],
        },
      },
    },
  },
})
