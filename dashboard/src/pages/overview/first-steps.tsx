/** A checklist of the first steps, for operators of a service without files. */

import { Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { PAGES } from '../../state/addresses.ts'
import { Panel } from '../../ui/lists/panel.tsx'
import { firstStepWords } from './words.ts'

interface FirstStep {
  title: string
  text: string
  actionLabel: string
  href: string
  isDone: boolean
}

export function FirstSteps() {
  const w = useWords(firstStepWords)
  const { data: tokens } = useGet('tokens')
  const { data: settings } = useGet('einstellungen')
  const addressSetting = settings?.PUBLIC_URL
  const steps: FirstStep[] = [
    { title: w.uploadTitle, text: w.uploadText, actionLabel: w.toFiles, href: PAGES.files, isDone: false },
    {
      title: w.tokenTitle,
      text: w.tokenText,
      actionLabel: w.tokenDo,
      href: PAGES.tokens,
      isDone: tokens !== undefined && tokens.length > 0,
    },
    {
      title: w.addressTitle,
      text: addressSetting ? w.addressText(addressSetting.wert) : '',
      actionLabel: w.toSettings,
      href: `${PAGES.settings}#adressen`,
      isDone: addressSetting !== undefined && addressSetting.quelle !== 'vorgabe',
    },
  ]
  return (
    <Panel p="lg">
      <Title order={2}>{w.title}</Title>
      <Text c="dimmed" mb="lg">
        {w.description}
      </Text>
      <Stack component="ol" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map((step, index) => (
          <li key={step.title}>
            <StepLine step={step} number={index + 1} />
          </li>
        ))}
      </Stack>
    </Panel>
  )
}

function StepLine({ step, number }: { step: FirstStep; number: number }) {
  const w = useWords(firstStepWords)
  const { title, text, actionLabel, href, isDone } = step
  return (
    <Group wrap="nowrap" align="flex-start" gap="md">
      <ThemeIcon radius="xl" size={32} variant={isDone ? 'light' : 'filled'} aria-hidden>
        {isDone ? <IconCheck size={18} /> : number}
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text fw={600}>
          {title}
          {isDone && (
            <Text component="span" c="dimmed" fw={400}>
              {' '}
              ({w.done})
            </Text>
          )}
        </Text>
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {!isDone && (
          <Button mt="xs" component={Link} href={href} variant="default">
            {actionLabel}
          </Button>
        )}
      </div>
    </Group>
  )
}
