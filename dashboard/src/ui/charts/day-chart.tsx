/**
 * A bar chart with one figure per day. Hovering over a day or moving to it by arrow keys shows its figure. A
 * table of all figures can be opened below the chart.
 */
import { Group, Table, Text, Title } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useTexts } from '../../language/language.tsx'
import { pressedKeysOf } from '../../state/pressed-keys.ts'
import { chartWords } from '../words.ts'
import classes from './day-chart.module.css'
import { dayIndexAt, dayIndexByKey, noonOf, topFigure } from './day-scale.ts'

export interface DayFigure {
  /** The day in the time zone of the service, such as `2026-11-15`. */
  tag: string
  /** The figure; null if it is unknown. */
  value: number | null
}

export interface DayChartProps {
  title: string
  /** The level of the heading. */
  headingLevel?: 2 | 3
  days: readonly DayFigure[]
  /** Shown in place of the figure of a day while the pointer and the focus are on no day. */
  summary: string
  /** Formats the figure of the day under the pointer or the focus: `3 Abrufe`. */
  describe(value: number): string
  /** Formats a figure for the table and for the top line of the chart. */
  formatFigure(value: number): string
  /** The heading of the figures in the table. */
  figureHeading: string
  /**
   * Calculates the figure at the top line of the chart from the figures of the days; by default `topFigure`.
   */
  topFigureOf?(values: readonly number[]): number
}

/**
 * The height of the drawing in user units of the SVG; each day is 1 unit wide. CSS stretches the drawing to
 * the size of the chart.
 */
const DRAWING_HEIGHT = 100
/** The space above the top line, in units of the drawing. */
const HEADROOM = 4
/** The space between two bars, as a share of the width of a day. */
const BAR_GAP = 0.36
/** Minimum height of a bar that is not 0, in units of the drawing, so that a low figure stays visible. */
const MIN_BAR_HEIGHT = 1

export function DayChart(props: DayChartProps) {
  const { w, format } = useTexts(chartWords)
  const { days, title, headingLevel = 2, summary } = props
  const headingId = useId()
  const [activeIndex, setActiveIndex] = useState<number | null>(null)
  const dayText = useDayText(props)
  return (
    <div>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={headingLevel} id={headingId} {...(headingLevel === 3 && { fz: 'md' })}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" data-testid="day">
          {activeIndex === null ? summary : dayText(days[activeIndex]!)}
        </Text>
      </Group>
      <Drawing {...props} activeIndex={activeIndex} onActive={setActiveIndex} labelledBy={headingId} />
      <div className={classes.days} aria-hidden>
        <span>{format.day(noonOf(days[0]!.tag))}</span>
        <span>{w.today}</span>
      </div>
      <DayTable {...props} />
    </div>
  )
}

interface DrawingProps extends DayChartProps {
  /** The index of the day whose figure is shown; null if none is. */
  activeIndex: number | null
  onActive(index: number | null): void
  labelledBy: string
}

/**
 * The bars, and the figure of the top line. For screen readers this is a slider that moves through the days.
 */
function Drawing(props: DrawingProps) {
  const {
    days,
    activeIndex,
    onActive,
    labelledBy,
    formatFigure,
    topFigureOf: topOfValues = topFigure,
  } = props
  const dayText = useDayText(props)
  const lastIndex = days.length - 1
  const topValue = topOfValues(days.map(({ value }) => value ?? 0))
  const moveByKey = (event: KeyboardEvent) => {
    const nextIndex = dayIndexByKey(pressedKeysOf(event), activeIndex ?? lastIndex, days.length)
    if (nextIndex === undefined) return
    event.preventDefault()
    onActive(nextIndex)
  }
  const activatePointedDay = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    onActive(dayIndexAt((clientX - left) / width, days.length))
  }
  return (
    <div
      className={classes.frame}
      role="slider"
      tabIndex={0}
      aria-labelledby={labelledBy}
      aria-readonly
      aria-valuemin={0}
      aria-valuemax={lastIndex}
      aria-valuenow={activeIndex ?? lastIndex}
      aria-valuetext={dayText(days[activeIndex ?? lastIndex]!)}
      onKeyDown={moveByKey}
      onFocus={() => activeIndex === null && onActive(lastIndex)}
      onBlur={() => onActive(null)}
      onPointerMove={activatePointedDay}
      onPointerLeave={() => onActive(null)}
    >
      <span className={classes.top} aria-hidden>
        {formatFigure(topValue)}
      </span>
      <Bars days={days} activeIndex={activeIndex} topValue={topValue} />
    </div>
  )
}

function Bars({
  days,
  activeIndex,
  topValue,
}: {
  days: readonly DayFigure[]
  activeIndex: number | null
  topValue: number
}) {
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${days.length} ${DRAWING_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {[HEADROOM, (DRAWING_HEIGHT + HEADROOM) / 2, DRAWING_HEIGHT].map(y => (
        <line key={y} className={classes.grid} x1={0} x2={days.length} y1={y} y2={y} />
      ))}
      {days.map(({ tag, value }, index) => {
        const height = value ? Math.max(MIN_BAR_HEIGHT, (value / topValue) * (DRAWING_HEIGHT - HEADROOM)) : 0
        return (
          <rect
            key={tag}
            className={classes.bar}
            data-active={index === activeIndex || undefined}
            x={index + BAR_GAP / 2}
            width={1 - BAR_GAP}
            y={DRAWING_HEIGHT - height}
            height={height}
          />
        )
      })}
    </svg>
  )
}

function useDayText({ describe }: Pick<DayChartProps, 'describe'>): (day: DayFigure) => string {
  const { w, format } = useTexts(chartWords)
  return ({ tag, value }) => `${format.day(noonOf(tag))}: ${value === null ? w.unknown : describe(value)}`
}

function DayTable({ days, title, figureHeading, formatFigure }: DayChartProps) {
  const { w, format } = useTexts(chartWords)
  return (
    <details className={classes.table}>
      <summary>{w.table}</summary>
      <Table aria-label={title} mt="xs" maw={360} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{w.day}</Table.Th>
            <Table.Th ta="right">{figureHeading}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ tag, value }) => (
            <Table.Tr key={tag}>
              <Table.Td>{format.day(noonOf(tag))}</Table.Td>
              <Table.Td ta="right">{value === null ? w.unknown : formatFigure(value)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  )
}
