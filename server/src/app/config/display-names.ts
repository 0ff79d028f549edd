import type { CameraConfig } from '../../cameras/cameras.config.ts'
import { configProblem } from '../../config/problem-codes.ts'
import type { Path, SectionReport } from '../../config/problem-collector.ts'
import { isSingleLine, isVisible, shownName } from '../../shared/display-name.ts'
import type { Config } from './config.ts'
import type { ConfigProblem } from './problem-codes.ts'

const namesIn = ({ auth, node, cameras }: Config): readonly (readonly [Path, string | null])[] => [
  [['auth', 'oidc', 'name'], auth.oidc.name],
  [['node', 'name'], node.name],
  ...[...cameras].map(([name, { title }]) => [['cameras', name, 'title'], title] as const),
]

/** Warns of names that {@link withShownNames} changes: they are no reason not to start. */
export function checkDisplayNames(config: Config, { warning }: SectionReport<ConfigProblem>): void {
  for (const [path, name] of namesIn(config)) {
    if (name === null || (isSingleLine(name.trim()) && isVisible(name))) continue
    warning(path, configProblem('unsupported-characters'))
  }
}

const shown = (name: string | null): string | null => name && shownName(name)

/**
 * The active configuration with the names as they are shown: one that shows nothing is like one that is missing. The
 * configuration as written (`written`) keeps them, so the settings of a camera call `shownName` too.
 */
export function withShownNames(config: Config): Config {
  const { auth, node, cameras } = config
  return {
    ...config,
    auth: { ...auth, oidc: { ...auth.oidc, name: shown(auth.oidc.name) } },
    node: { ...node, name: shown(node.name) },
    cameras: new Map(
      [...cameras].map(([name, camera]): [string, CameraConfig] => [name, { ...camera, title: shown(camera.title) }]),
    ),
  }
}
