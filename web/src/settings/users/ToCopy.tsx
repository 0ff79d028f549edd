import { Button, Code } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { CopyText } from '../../ui/CopyText.tsx'
import { useTexts } from '../../i18n/texts.ts'
import classes from './ToCopy.module.css'

interface ToCopyProps {
  readonly term: string
  readonly value: string
  /** Names the button that copies it. */
  readonly copy: string
}

/** Text to hand over, with a button that copies it. */
export function ToCopy({ term, value, copy }: ToCopyProps) {
  const { users } = useTexts('users')
  return (
    <div className={classes.line}>
      <dt>{term}</dt>
      <dd>
        <Code className={classes.value}>{value}</Code>
        <CopyText value={value} timeout={2000}>
          {({ copied, copy: act }) => (
            <Button
              variant="subtle"
              size="compact-md"
              className={classes.copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={act}
              aria-label={copied ? users.copied : copy}
              aria-live="polite"
            >
              {copied ? users.copied : users.copy}
            </Button>
          )}
        </CopyText>
      </dd>
    </div>
  )
}
