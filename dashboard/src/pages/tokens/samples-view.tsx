/** Shows how to use a token: a ShareX file, and code to copy. */
import { Group, Stack, Tabs } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import type { ShareXUploader } from '../../../../src/contract/upload/sharex.ts'
import { useWords } from '../../language/language.tsx'
import { LinkButton } from '../../ui/buttons.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { sampleWords } from './sample-words.ts'
import {
  curlSample,
  luaSample,
  sampleAccessOf,
  screenshotSample,
  scriptSample,
  shareXFileName,
} from './samples.ts'
import classes from './tokens.module.css'

export function SamplesView({ token, sharex }: { token: TokenOnWire; sharex: ShareXUploader }) {
  const w = useWords(sampleWords)
  const access = sampleAccessOf(sharex, token)
  const screenshot = screenshotSample(access, w)
  return (
    <Stack gap="md">
      <Group gap="xs">
        <LinkButton
          icon={IconDownload}
          label={w.shareX}
          href={useDownloadAddress(sharex)}
          download={shareXFileName(token.name)}
        />
        <DimmedText>{w.shareXHint}</DimmedText>
      </Group>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label={w.samples} mb="sm">
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="lua">Lua</Tabs.Tab>
          <Tabs.Tab value="script">JavaScript</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl">
          <Sample label={w.copyCode} note={w.curlHint}>
            {curlSample(access, w)}
          </Sample>
        </Tabs.Panel>
        <Tabs.Panel value="lua">
          <Sample label={w.copyCode}>{luaSample(access, w)}</Sample>
          {screenshot && (
            <Sample label={w.copyScreenshot} note={w.clientHint}>
              {screenshot}
            </Sample>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="script">
          <Sample label={w.copyCode}>{scriptSample(access, w)}</Sample>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

function Sample({ label, note, children: code }: { label: string; note?: ReactNode; children: string }) {
  return (
    <Stack gap="xs" mb="md">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        {code}
      </pre>
      {note && <DimmedText>{note}</DimmedText>}
      <div>
        <CopyButton value={code} label={label} />
      </div>
    </Stack>
  )
}

/**
 * A temporary address of the content of the ShareX file. It is revoked when the content changes or the
 * component is unmounted.
 */
function useDownloadAddress(sharex: ShareXUploader): string {
  const text = JSON.stringify(sharex, null, 2)
  const address = useMemo(() => URL.createObjectURL(new Blob([text], { type: 'application/json' })), [text])
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  return address
}
