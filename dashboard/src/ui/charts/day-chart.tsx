/**
 * A bar chart of figures per day. The figure of a day is shown on hover and by arrow keys; a table below
 * lists all of them.
 */
import { Group, Table, Text, Title } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useTexts } from '../../language/language.tsx'
import { keysOf } from '../keys/keys.ts'
import { chartWords } from '../words.ts'
import classes from './day-chart.module.css'
import { dayAt, dayByKey, momentOfDay, topOf } from './day-scale.ts'

export interface DayFigure {
  /** `2026-11-15`. */
  tag: string
  /** The figure of the day; null: unknown. */
  value: number | null
}

export interface DayChartProps {
  title: string
  /** The level of the heading. */
  order?: 2 | 3
  days: readonly DayFigure[]
  /** Shown while no day is active. */
  summary: string
  /** Formats the figure of the active day: `3 Abrufe`. */
  told(value: number): string
  /** Formats a figure in the table, in the column `column`, and at the top line of the chart. */
  written(value: number): string
  column: string
  /** Calculates the round figure at the top line of the chart. */
  top?(values: readonly number[]): number
}

/** The height of the drawing in its own units. The drawing is stretched; each day is 1 unit wide. */
const HEIGHT = 100
/** The space above the highest bar, in units of the drawing. */
const HEADROOM = 4
const GAP = 0.36
/** Minimum height of a bar that is not 0, so that a low figure stays visible. */
const MIN_HEIGHT = 1

export function DayChart(props: DayChartProps) {
  const { w, format } = useTexts(chartWords)
  const { days, title, order = 2, summary } = props
  const heading = useId()
  const [active, setActive] = useState<number | null>(null)
  const told = useToldDay(props)
  return (
    <div>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={order} id={heading} {...(order === 3 && { fz: 'md' })}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" data-testid="day">
          {active === null ? summary : told(days[active]!)}
        </Text>
      </Group>
      <Drawing {...props} active={active} onActive={setActive} labelledBy={heading} />
      <div className={classes.days} aria-hidden>
        <span>{format.day(momentOfDay(days[0]!.tag))}</span>
        <span>{w.today}</span>
      </div>
      <Figures {...props} />
    </div>
  )
}

interface DrawingProps extends DayChartProps {
  active: number | null
  onActive(day: number | null): void
  labelledBy: string
}

/** The bars. For screen readers this is a slider that moves through the days. */
function Drawing(props: DrawingProps) {
  const { days, active, onActive, labelledBy, written, top: topOfValues = topOf } = props
  const told = useToldDay(props)
  const last = days.length - 1
  const top = topOfValues(days.map(({ value }) => value ?? 0))
  const walk = (event: KeyboardEvent) => {
    const next = dayByKey(keysOf(event), active ?? last, days.length)
    if (next === undefined) return
    event.preventDefault()
    onActive(next)
  }
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    onActive(dayAt((clientX - left) / width, days.length))
  }
  return (
    <div
      className={classes.frame}
      role="slider"
      tabIndex={0}
      aria-labelledby={labelledBy}
      aria-readonly
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={active ?? last}
      aria-valuetext={told(days[active ?? last]!)}
      onKeyDown={walk}
      onFocus={() => active === null && onActive(last)}
      onBlur={() => onActive(null)}
      onPointerMove={point}
      onPointerLeave={() => onActive(null)}
    >
      <span className={classes.top} aria-hidden>
        {written(top)}
      </span>
      <Bars days={days} active={active} top={top} />
    </div>
  )
}

function Bars({ days, active, top }: { days: readonly DayFigure[]; active: number | null; top: number }) {
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${days.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {[HEADROOM, (HEIGHT + HEADROOM) / 2, HEIGHT].map(y => (
        <line key={y} className={classes.grid} x1={0} x2={days.length} y1={y} y2={y} />
      ))}
      {days.map(({ tag, value }, at) => {
        const height = value ? Math.max(MIN_HEIGHT, (value / top) * (HEIGHT - HEADROOM)) : 0
        return (
          <rect
            key={tag}
            className={classes.bar}
            data-active={at === active || undefined}
            x={at + GAP / 2}
            width={1 - GAP}
            y={HEIGHT - height}
            height={height}
          />
        )
      })}
    </svg>
  )
}

function useToldDay({ told }: Pick<DayChartProps, 'told'>): (day: DayFigure) => string {
  const { w, format } = useTexts(chartWords)
  return ({ tag, value }) => `${format.day(momentOfDay(tag))}: ${value === null ? w.unknown : told(value)}`
}

function Figures({ days, title, column, written }: DayChartProps) {
  const { w, format } = useTexts(chartWords)
  return (
    <details className={classes.table}>
      <summary>{w.table}</summary>
      <Table aria-label={title} mt="xs" maw={360} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{w.day}</Table.Th>
            <Table.Th ta="right">{column}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ tag, value }) => (
            <Table.Tr key={tag}>
              <Table.Td>{format.day(momentOfDay(tag))}</Table.Td>
              <Table.Td ta="right">{value === null ? w.unknown : written(value)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  )
}
