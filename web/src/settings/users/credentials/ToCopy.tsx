import { CodeText } from '../../../ui/CodeText.tsx'
import { CopyText } from '../../../ui/CopyText.tsx'
import classes from './ToCopy.module.css'

interface ToCopyProps {
  readonly term: string
  readonly value: string
  /** Names the button that copies it. */
  readonly copy: string
  /** Whether it's what the dialog is there for: it isn't shown again. */
  readonly main?: boolean
}

/** Text to hand over, with a button that copies it. */
export const ToCopy = ({ term, value, copy, main = false }: ToCopyProps) => (
  <div className={classes.line}>
    <dt>{term}</dt>
    <dd>
      <CodeText>{value}</CodeText>
      <CopyText
        value={value}
        label={copy}
        variant={main ? 'filled' : 'subtle'}
        size="compact-md"
        flex="none"
        focused={main}
      />
    </dd>
  </div>
)
