/**
 * The figures of the overview: files, size, retrievals of the last 7 days, and for operators the free space.
 */
import type { OverviewAnswer } from '../../../../src/contract/files/overview.ts'
import { useTexts } from '../../language/language.tsx'
import { hasMinimumRole } from '../../state/rights.ts'
import { Panel } from '../../ui/lists/panel.tsx'
import classes from './overview.module.css'
import { words } from './words.ts'

export function Figures({ dateien, bytes, abrufe, platz }: OverviewAnswer) {
  const { w, format } = useTexts(words)
  const freeSpaceFigure = () =>
    platz
      ? { label: w.free, value: format.bytes(platz.frei), suffix: w.freeOf(format.bytes(platz.gesamt)) }
      : { label: w.free, value: w.unknown }
  const figures: { label: string; value: string; suffix?: string }[] = [
    { label: w.files, value: format.number(dateien) },
    { label: w.size, value: format.bytes(bytes) },
    { label: w.retrievals, value: format.number(abrufe.letzte_7_tage) },
    ...(hasMinimumRole('betreiber') ? [freeSpaceFigure()] : []),
  ]
  return (
    <Panel p={0}>
      <dl className={classes.figures}>
        {figures.map(({ label, value, suffix }) => (
          <div key={label} className={classes.figure}>
            <dt>{label}</dt>
            <dd>
              {value}
              {suffix && <small>{suffix}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
