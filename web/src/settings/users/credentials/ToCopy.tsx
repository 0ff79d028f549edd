import { CodeText } from '../../../ui/CodeText.tsx'
import { CopyText } from '../../../ui/CopyText.tsx'
import classes from './ToCopy.module.css'

interface ToCopyProps {
  readonly term: string
  readonly value: string
  /** Names the button that copies it. */
  readonly copy: string
}

/** Text to hand over, with a button that copies it. */
export const ToCopy = ({ term, value, copy }: ToCopyProps) => (
  <div className={classes.line}>
    <dt>{term}</dt>
    <dd>
      <CodeText>{value}</CodeText>
      <CopyText value={value} label={copy} variant="subtle" size="compact-md" flex="none" />
    </dd>
  </div>
)
