/** The chart of retrievals per day: of the library, of a folder or of a file. */
import { useTexts } from '../../language/language.tsx'
import { chartWords, words } from '../words.ts'
import { DayChart } from './day-chart.tsx'

interface RetrievalChartProps {
  days: readonly { tag: string; abrufe: number }[]
  headingLevel?: 2 | 3
}

export function RetrievalChart({ days, headingLevel = 2 }: RetrievalChartProps) {
  const { w, format } = useTexts(chartWords)
  const { w: sharedWords } = useTexts(words)
  const total = days.reduce((sum, { abrufe }) => sum + abrufe, 0)
  return (
    <DayChart
      title={w.perDay}
      headingLevel={headingLevel}
      days={days.map(({ tag, abrufe }) => ({ tag, value: abrufe }))}
      summary={
        total === 0
          ? w.none(days.length)
          : w.sum(sharedWords.retrieved(total, format.number(total)), days.length)
      }
      describe={count => sharedWords.retrieved(count, format.number(count))}
      formatFigure={format.number}
      figureHeading={w.retrievals}
    />
  )
}
