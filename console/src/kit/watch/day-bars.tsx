// Small bars for the events of some days. They only draw: the numbers are in the text beside them.
import { classNames } from '../../text/class-names.ts'

interface DayBarsProps {
  /** One number for each day, the last day last. */
  readonly values: readonly number[]
  /** Grey, for values that do not count. */
  readonly isMuted?: boolean
  /** Position of the day that is pointed at. */
  readonly marked?: number | undefined
}

const [WIDTH, HEIGHT, MIN] = [84, 24, 2]

export function DayBars({ values, isMuted = false, marked }: DayBarsProps) {
  const step = WIDTH / Math.max(1, values.length)
  const highest = Math.max(1, ...values)
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="block h-6 w-21 shrink-0">
      {values.map((value, index) => {
        const height = value === 0 || isMuted ? MIN : Math.max(MIN * 2, (value / highest) * HEIGHT)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the days never change their places.
            key={index}
            x={(index * step + 0.5).toFixed(2)}
            y={HEIGHT - height}
            width={Math.max(0.5, step - 1.5).toFixed(2)}
            height={height}
            rx={step > 4 ? 1 : 0}
            className={classNames(value === 0 ? 'fill-line-strong' : 'fill-series-1', marked === index && 'opacity-60')}
          />
        )
      })}
    </svg>
  )
}
