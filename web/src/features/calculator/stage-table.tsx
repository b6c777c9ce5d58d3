import { m } from '#lib/messages/messages.js'
import { classNames } from '#ui/class-names.ts'
import { stageName } from './calculator-words.ts'
import type { Stage } from './plan-goal.ts'

type Figure = { text: string; className?: string }
type StageTableProps = {
  caption: string
  /** The heads above the figures. */
  columns: string[]
  columnClassName?: string
  rows: { stage: Stage; figures: Figure[] }[]
}

/**
 * Figures of each stage, side by side. Where the text is so large that they don't fit, they go below each
 * other with their heads before them; the roles are stated, since browsers drop those of a table laid out so.
 */
export function StageTable({ caption, columns, columnClassName, rows }: StageTableProps) {
  return (
    <div className="@container">
      <table
        role="table"
        className="w-full border-collapse text-small tabular-nums @max-[14rem]:block"
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="@max-[14rem]:hidden">
          <tr role="row" className="align-bottom text-caption text-muted">
            <th role="columnheader" scope="col">
              <span className="sr-only">{m.calculator_column_stage()}</span>
            </th>
            {columns.map((column) => (
              <th
                key={column}
                role="columnheader"
                scope="col"
                className={classNames('py-2 pl-2 text-right font-semibold', columnClassName)}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="@max-[14rem]:block">
          {rows.map(({ stage, figures }) => (
            <tr
              key={stage}
              role="row"
              className="border-t border-line @max-[14rem]:block @max-[14rem]:py-2"
            >
              <th
                role="rowheader"
                scope="row"
                className="py-2.5 pr-1 text-left font-normal wrap-anywhere hyphens-auto @max-[14rem]:block @max-[14rem]:py-1 @max-[14rem]:font-semibold"
              >
                {stageName[stage]()}
              </th>
              {figures.map(({ text, className }, index) => (
                <td
                  key={columns[index]}
                  role="cell"
                  data-column={columns[index]}
                  className={classNames(
                    'py-2.5 pl-2 text-right',
                    '@max-[14rem]:flex @max-[14rem]:flex-wrap @max-[14rem]:justify-between @max-[14rem]:gap-x-3 @max-[14rem]:py-0.5 @max-[14rem]:pl-0 @max-[14rem]:before:text-muted @max-[14rem]:before:content-[attr(data-column)]',
                    className,
                  )}
                >
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
