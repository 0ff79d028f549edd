import type { Texts } from '../../i18n/texts.ts'

/** A section of the settings: the pages below `/settings/<path>`. */
export interface Section {
  readonly path: keyof Texts<'settings'>['settings']['sections']
  /** The action that the section requires. Without it, its pages and its menu entry are hidden. */
  readonly action: string
}

/** In menu order. */
export const sections: readonly Section[] = [
  { path: 'users', action: 'users.manage' },
  { path: 'roles', action: 'roles.manage' },
  { path: 'tokens', action: 'tokens.manage' },
  { path: 'access', action: 'access.try' },
  { path: 'links', action: 'links.manage' },
  { path: 'cameras', action: 'cameras.manage' },
  { path: 'screens', action: 'screens.manage' },
  { path: 'storage', action: 'system.read' },
  { path: 'instances', action: 'system.read' },
  { path: 'config', action: 'config.manage' },
  { path: 'audit', action: 'audit.read' },
  { path: 'log', action: 'log.read' },
  { path: 'system', action: 'system.read' },
]

/** The sections that the given actions allow. */
export const sectionsFor = (actions: readonly string[]): readonly Section[] =>
  sections.filter(({ action }) => actions.includes(action))
