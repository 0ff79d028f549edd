/** Made by web/messages/plugin.ts: imports a catalog, by BCP 47 tag and name. catalogs.gen.ts has the types. */
declare module 'virtual:messages' {
  export const catalogs: Readonly<Record<string, Readonly<Record<string, () => Promise<{ readonly default: object }>>>>>
}
