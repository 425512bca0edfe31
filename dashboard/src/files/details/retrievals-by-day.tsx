/** The chart of retrievals of a file on each of the last 90 days. */
import { useGet } from '../../api/use-get.ts'
import { RetrievalChart } from '../../ui/charts/retrieval-chart.tsx'

/**
 * Renders nothing if there were no retrievals in these 90 days: the details show the time of the last one
 * anyway.
 */
export function FileRetrievals({ path }: { path: string }) {
  const { data } = useGet(`statistik/datei/${path}`)
  return data && data.gesamt > 0 ? <RetrievalChart days={data.tage} headingLevel={3} /> : null
}
