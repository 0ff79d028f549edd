import {
  IconActivity,
  IconApi,
  IconDatabase,
  IconDeviceCctv,
  IconFileCode,
  IconFileText,
  IconKey,
  IconDeviceTv,
  IconLink,
  IconServer,
  IconTimelineEvent,
  IconUserSearch,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Section } from './sections.ts'

/** Apart from the sections, which every page needs for the main menu. */
export const sectionIcons: Readonly<Record<Section['path'], TablerIcon>> = {
  users: IconUsers,
  roles: IconKey,
  tokens: IconApi,
  access: IconUserSearch,
  links: IconLink,
  cameras: IconDeviceCctv,
  screens: IconDeviceTv,
  storage: IconDatabase,
  instances: IconServer,
  config: IconFileCode,
  audit: IconTimelineEvent,
  log: IconFileText,
  system: IconActivity,
}
