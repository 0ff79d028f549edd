import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import type { ConfigCheck } from '../../../../server/src/api-types.ts'
import { problemText } from '../../api/failure.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from './ConfigPage.module.css'
import type { Found } from './editor/Editor.tsx'
import { placeOf } from './problem-place.ts'

interface ProblemsProps {
  readonly found: ConfigCheck
  /** Moves the editor's cursor to the problem. */
  readonly onGo?: (found: Found) => void
}

/** Problems first, then warnings, each in file order. */
export function Problems({ found: { problems, warnings }, onGo }: ProblemsProps) {
  if (problems.length + warnings.length === 0) return null
  return (
    <ul className={classes.problems}>
      {problems.map((found, at) => (
        <li key={`p${at}`}>
          <Problem found={found} kind="problem" onGo={onGo} />
        </li>
      ))}
      {warnings.map((found, at) => (
        <li key={`w${at}`}>
          <Problem found={found} kind="warning" onGo={onGo} />
        </li>
      ))}
    </ul>
  )
}

interface ProblemProps {
  readonly found: Found
  readonly kind: 'problem' | 'warning'
  readonly onGo: ((found: Found) => void) | undefined
}

function Problem({ found, kind, onGo }: ProblemProps) {
  const texts = useTexts('config', 'config-problems')
  const { config } = texts
  const Icon = kind === 'problem' ? IconAlertCircle : IconAlertTriangle
  const place = placeOf(found)
  const inside = (
    <>
      <Icon size={18} aria-label={config[kind]} role="img" />
      {found.line !== undefined && <span className={classes.where}>{config.line({ line: found.line })}</span>}
      <span className={classes.message}>
        {place !== '' && <strong>{place} </strong>}
        {problemText(found, texts)}
      </span>
    </>
  )
  if (!onGo) {
    return (
      <div className={classes.problem} data-kind={kind}>
        {inside}
      </div>
    )
  }
  return (
    <button type="button" className={classes.problem} data-kind={kind} onClick={() => onGo(found)}>
      {inside}
    </button>
  )
}
