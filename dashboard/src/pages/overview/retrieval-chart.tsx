/**
 * Retrievals per day as quiet bars. Pointing at a day, or walking through them with the arrow keys, says its figure; the
 * same figures stand in a table below.
 */
import { Group, Table, Text, Title } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import type { OverviewAnswer } from '../../../../src/contract/overview.ts'
import { useFormat, useTexts, useWords } from '../../language/language.tsx'
import classes from './chart.module.css'
import { dayAt, dayByKey, momentOfDay, topOf } from './scale.ts'
import { chartWords, words } from './words.ts'

type Days = OverviewAnswer['abrufe']['tage']

/** Units of the drawing: each day is one wide; it is stretched to the room there is. */
const HEIGHT = 100
/** Room above the highest bar. */
const HEADROOM = 4
const GAP = 0.36
/** The least height of a bar, so that a day with few retrievals stays visible. */
const LEAST = 1

export function RetrievalChart({ days }: { days: Days }) {
  const { w, format } = useTexts(chartWords)
  const title = useId()
  const [active, setActive] = useState<number | null>(null)
  const counts = days.map(({ abrufe }) => abrufe)
  const sum = counts.reduce((all, each) => all + each, 0)
  const told = useToldDay()
  const shown = active === null ? w.sum(days.length, format.number(sum)) : told(days[active]!)
  return (
    <div>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} id={title}>
          {w.title}
        </Title>
        <Text size="sm" c="dimmed" data-testid="day">
          {sum === 0 && active === null ? w.none : shown}
        </Text>
      </Group>
      <Drawing days={days} active={active} onActive={setActive} labelledBy={title} />
      <div className={classes.days} aria-hidden>
        <span>{format.day(momentOfDay(days[0]!.tag))}</span>
        <span>{w.today}</span>
      </div>
      <Figures days={days} />
    </div>
  )
}

interface DrawingProps {
  days: Days
  active: number | null
  onActive(day: number | null): void
  labelledBy: string
}

/** A slider to screen readers, which lets people walk through the days. */
function Drawing({ days, active, onActive, labelledBy }: DrawingProps) {
  const told = useToldDay()
  const format = useFormat()
  const last = days.length - 1
  const top = topOf(days.map(({ abrufe }) => abrufe))
  const walk = (event: KeyboardEvent) => {
    const next = dayByKey(event.key, active ?? last, days.length)
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
        {format.number(top)}
      </span>
      <Bars days={days} active={active} top={top} />
    </div>
  )
}

function Bars({ days, active, top }: { days: Days; active: number | null; top: number }) {
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
      {days.map(({ tag, abrufe }, at) => {
        const height = abrufe === 0 ? 0 : Math.max(LEAST, (abrufe / top) * (HEIGHT - HEADROOM))
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

function useToldDay(): (day: Days[number]) => string {
  const { w, format } = useTexts(chartWords)
  const { retrieved } = useWords(words)
  return ({ tag, abrufe }) => w.onDay(format.day(momentOfDay(tag)), retrieved(abrufe, format.number(abrufe)))
}

function Figures({ days }: { days: Days }) {
  const { w, format } = useTexts(chartWords)
  return (
    <details className={classes.table}>
      <summary>{w.table}</summary>
      <Table aria-label={w.title} mt="xs" maw={360} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{w.day}</Table.Th>
            <Table.Th ta="right">{w.count}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ tag, abrufe }) => (
            <Table.Tr key={tag}>
              <Table.Td>{format.day(momentOfDay(tag))}</Table.Td>
              <Table.Td ta="right">{format.number(abrufe)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  )
}
