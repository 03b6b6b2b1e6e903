import anholo

m = anholo.read("skate.ah", set={"slope": 0.4})
print(m.derive())                               # or .latex, .mathml, .json

for claim in m.verify().claims:
    print(claim.verdict, "-", claim.label)

s = m.system()
motion = s.simulate(to=10, every=0.01)          # columns are NumPy arrays
print(f"it comes down by {motion['x'].max():.6f}, and goes across by {motion['y'][-1]:.6f}")

with open("drift.csv", "w") as table:
    print("slope,down", file=table)
    for slope in (k / 50 for k in range(1, 31)):
        skate = anholo.read("skate.ah", set={"slope": slope}).system()
        print(f"{slope},{skate.simulate(to=10, every=0.01)['x'].max():.6f}", file=table)
