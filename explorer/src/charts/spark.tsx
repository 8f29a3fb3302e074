// A small line of bars in a table, without axes; the row beside it has the numbers.

interface SparkProps {
  /** One value a year, in the order of years. */
  values: readonly number[];
  label: string;
}

const BAR = 5;
const HEIGHT = 24;

export function Spark({ values, label }: SparkProps) {
  const largest = Math.max(...values);
  return (
    <svg role="img" aria-label={label} class="spark" width={values.length * BAR} height={HEIGHT}>
      {values.map((value, index) => {
        const size = largest > 0 ? (value / largest) * HEIGHT : 0;
        return size > 0 ? <rect key={index} x={index * BAR} y={HEIGHT - Math.max(1, size)} width={BAR - 1} height={Math.max(1, size)} /> : null;
      })}
    </svg>
  );
}
