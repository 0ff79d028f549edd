import { Group, Text } from '@mantine/core'
import type { ConfigCheck } from '../../../../server/src/api-types.ts'
import { useTexts, type Texts } from '../../i18n/texts.ts'
import type { Found } from './editor/Editor.tsx'
import { Problems } from './Problems.tsx'

interface CheckResultProps {
  /** undefined until the text was checked for the first time. */
  readonly found: ConfigCheck | undefined
  readonly onGo: (found: Found) => void
}

/** The problems and warnings of the text in the editor. */
export function CheckResult({ found, onGo }: CheckResultProps) {
  const texts = useTexts('config')
  const { config } = texts
  return (
    <section aria-label={config.problems}>
      <Group mb="xs" role="status">
        <Text fw={600}>{found ? countsOf(found, texts) || config.fine : config.checking}</Text>
      </Group>
      {found && <Problems found={found} onGo={onGo} />}
    </section>
  )
}

/** `2 problems, 1 warning`; empty if there are none. */
const countsOf = ({ problems, warnings }: ConfigCheck, { config, partsSeparator }: Texts<'config'>): string =>
  [
    ...(problems.length === 0 ? [] : [config.problemCount({ count: problems.length })]),
    ...(warnings.length === 0 ? [] : [config.warningCount({ count: warnings.length })]),
  ].join(partsSeparator)
