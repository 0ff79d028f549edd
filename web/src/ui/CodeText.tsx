import { Code, type CodeProps } from '@mantine/core'
import classes from './CodeText.module.css'

interface CodeTextProps extends CodeProps {
  readonly children: string
  /** Of several lines, such as a command. */
  readonly small?: boolean
}

/** Text to type or copy elsewhere, such as a secret. One click selects all of it. */
export const CodeText = ({ small = false, ...code }: CodeTextProps) => (
  <Code {...code} classNames={{ root: classes.value }} data-small={small || undefined} />
)
