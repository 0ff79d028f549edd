import { Text } from '@mantine/core'
import type { Advice } from './password-advice.ts'
import classes from './PasswordAdvice.module.css'

const filled: Record<Advice['level'], number> = { empty: 0, refused: 1, weak: 2, fine: 3, good: 4 }

interface PasswordAdviceProps {
  /** For the field's `aria-describedby`. */
  readonly id: string
  readonly advice: Advice
  /** The error already shown at the field; not repeated here. */
  readonly problem: string | undefined
  /** Announced before the advice. */
  readonly news?: string
}

/** The strength of a password, shown below its field. */
export function PasswordAdvice({ id, advice, problem, news = '' }: PasswordAdviceProps) {
  return (
    <>
      <div className={classes.meter} data-level={advice.level} aria-hidden>
        {[1, 2, 3, 4].map((part) => (
          <span key={part} data-on={filled[advice.level] >= part || undefined} />
        ))}
      </div>
      <Text id={id} size="sm" c="dimmed" role="status">
        {news} {advice.text !== problem && advice.text}
      </Text>
    </>
  )
}
