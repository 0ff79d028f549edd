import {
  IconActivity,
  IconDatabase,
  IconDeviceCctv,
  IconFileCode,
  IconFileText,
  IconKey,
  IconTimelineEvent,
  IconUserSearch,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Texts } from '../../i18n/texts.ts'

/** A section of the settings: the pages below `/settings/<path>`. */
export interface Section {
  readonly path: keyof Texts<'settings'>['settings']['sections']
  readonly icon: TablerIcon
  /** The action that the section requires. Without it, its pages and its menu entry are hidden. */
  readonly action: string
}

/** In menu order. */
export const sections: readonly Section[] = [
  { path: 'users', icon: IconUsers, action: 'users.manage' },
  { path: 'roles', icon: IconKey, action: 'roles.manage' },
  { path: 'access', icon: IconUserSearch, action: 'access.try' },
  { path: 'cameras', icon: IconDeviceCctv, action: 'cameras.manage' },
  { path: 'storage', icon: IconDatabase, action: 'system.read' },
  { path: 'config', icon: IconFileCode, action: 'config.manage' },
  { path: 'audit', icon: IconTimelineEvent, action: 'audit.read' },
  { path: 'log', icon: IconFileText, action: 'log.read' },
  { path: 'system', icon: IconActivity, action: 'system.read' },
]

/** The sections that the given actions allow. */
export const sectionsFor = (actions: readonly string[]): readonly Section[] =>
  sections.filter(({ action }) => actions.includes(action))
